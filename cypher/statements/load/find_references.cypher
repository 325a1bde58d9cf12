// Which of these things does the graph have, and from which data sets?
MATCH (entity:Entity)
WHERE entity.id IN $ids
RETURN entity.id AS id, elementId(entity) AS element, labels(entity) AS labels, entity.datasets AS datasets,
       properties(entity) AS properties
