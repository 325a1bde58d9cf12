// Every thing of the graph that has a structure, with its functional groups.
MATCH (entity:Entity)
WHERE entity.smiles IS NOT NULL
RETURN entity.id AS id, entity.name AS name, entity.preferred_name AS preferred_name,
       coalesce(entity.synonyms, []) AS synonyms, labels(entity) AS labels, entity.smiles AS smiles,
       entity.groups AS groups, entity.group_counts AS counts
