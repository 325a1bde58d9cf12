// Entities that a data set no longer lists: those that no other data set lists are deleted.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.id})
SET entity.datasets = [name IN entity.datasets WHERE name <> $dataset]
WITH entity
WHERE size(entity.datasets) = 0
DETACH DELETE entity
