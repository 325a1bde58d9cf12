// Takes back what a data set says of things that other data sets have too.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.id})
REMOVE entity:$(row.stale)
SET entity:$(row.labels)
SET entity += row.properties
