// Every relation type with its embedding; those of Reactome's edges are read when they are asked for.
MATCH (relation:RelationType)
WHERE relation.kind <> 'REACTOME'
RETURN relation.kind AS kind, relation.name AS name, relation.embedding AS embedding
