// Every thing of the graph that has a structure, with its functional groups.
MATCH (entity:Entity)
WHERE entity.smiles IS NOT NULL
RETURN entity.id AS id, entity.name AS name, labels(entity) AS labels, entity.smiles AS smiles,
       entity.groups AS groups, entity.group_counts AS counts
