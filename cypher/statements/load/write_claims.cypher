// Makes things what their data sets say they are: what is new, and what belongs to one of several.
UNWIND $rows AS row
MERGE (entity:Entity {id: row.id})
REMOVE entity:$(row.stale)
SET entity:$(row.labels)
SET entity += row.properties
