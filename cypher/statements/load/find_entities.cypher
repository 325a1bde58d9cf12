// What does the graph hold of these things, and from which data sets?
MATCH (entity:Entity)
WHERE entity.id IN $ids
RETURN entity.id AS id, labels(entity) AS labels, entity.datasets AS datasets, properties(entity) AS properties
