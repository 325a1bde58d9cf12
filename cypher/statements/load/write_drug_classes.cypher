// Makes classes of drugs what a data set says they are; what another says of the same thing stays.
UNWIND $rows AS row
MERGE (class:Entity {id: row.id})
SET class:$(row.labels)
SET class += row.properties
