// Deletes the relation types that are a data set's own.
MATCH (relation:RelationType)
WHERE relation.id >= '' AND relation.dataset = $dataset
DETACH DELETE relation
