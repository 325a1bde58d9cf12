// The relation types of some kinds, and which encoder made their embeddings.
MATCH (relation:RelationType)
WHERE relation.kind IN $kinds
RETURN relation.id AS id, relation.name AS name, relation.kind AS kind, relation.count AS count,
       relation.encoder AS encoder, size(relation.embedding) AS dimension
