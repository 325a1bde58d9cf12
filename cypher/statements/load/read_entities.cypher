// What the graph holds of a data set's entities.
MATCH (entity:Entity)
WHERE $dataset IN entity.datasets
RETURN entity.id AS id, labels(entity) AS labels, properties(entity) AS properties
