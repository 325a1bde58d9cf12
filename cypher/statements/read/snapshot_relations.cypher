// Every relation type with its embedding.
MATCH (relation:RelationType)
RETURN relation.kind AS kind, relation.name AS name, relation.embedding AS embedding
