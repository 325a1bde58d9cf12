// Deletes things that no data set has any more.
UNWIND $ids AS id
MATCH (entity:Entity {id: id})
DETACH DELETE entity
