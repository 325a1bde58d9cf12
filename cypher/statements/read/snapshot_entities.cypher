// Every thing of the graph that can be the end of a triple, has a text or has a drug label.
MATCH (entity:Entity)
WHERE EXISTS { (entity)-[:DDI|DPI|MOLECULAR|ACTION|FACT]-() } OR EXISTS { (entity)-[:DESCRIBED_BY]->() }
   OR EXISTS { (entity)<-[:LABELS]-(:DrugLabel) }
RETURN entity.id AS id, entity.name AS name, labels(entity) AS labels,
       coalesce(entity.synonyms, []) + coalesce(entity.other_names, []) AS synonyms,
       entity.smiles AS smiles, entity.gene AS gene, entity.groups AS groups, entity.group_counts AS counts,
       entity.preferred_name AS preferred_name, entity.aliases AS aliases, coalesce(entity.xrefs, []) + coalesce(entity.more_xrefs, []) AS xrefs
