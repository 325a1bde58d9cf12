// What the graph holds of the things that a data set refers to, which other data sets may have too.
MATCH (entity:Entity)
WHERE entity.id >= '' AND $dataset IN entity.datasets
RETURN entity.id AS id, elementId(entity) AS element, labels(entity) AS labels, entity.datasets AS datasets,
       properties(entity) AS properties
