// Makes drugs that labels alone name what a data set says they are; what is another's stays.
UNWIND $rows AS row
MERGE (entity:Entity {id: row.id})
SET entity:$(row.labels)
SET entity += row.properties
