// The relation types that a data set's own edges are read as, without their embeddings.
MATCH (relation:RelationType)
WHERE relation.id STARTS WITH 'REACTOME:' AND relation.dataset = $dataset
RETURN relation.id AS id, elementId(relation) AS element, labels(relation) AS labels,
       size(relation.embedding) AS dimension, properties(relation) AS properties
