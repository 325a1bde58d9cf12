// Which things does a data set have in the graph, and what did it write there?
MATCH (entity:Entity)
WHERE entity.id >= '' AND $dataset IN entity.datasets
RETURN entity.id AS id, entity[$digest] AS digest, entity.datasets AS datasets
