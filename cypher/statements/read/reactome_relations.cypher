// The relation types that Reactome's edges are read as, with their embeddings.
MATCH (relation:RelationType)
WHERE relation.id STARTS WITH 'REACTOME:'
RETURN relation.kind AS kind, relation.name AS name, relation.embedding AS embedding
