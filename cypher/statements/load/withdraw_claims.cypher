// Takes back what a data set says of things: those that no other data set has are deleted.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.id})
REMOVE entity:$(row.stale)
SET entity:$(row.labels)
SET entity += row.properties
WITH entity, row
WHERE row.alone
DETACH DELETE entity
