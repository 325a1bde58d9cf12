// What may have names in the vocabulary: drugs, proteins and genes, how they are told, and which names they have.
MATCH (entity:Drug|Protein|Gene)
WHERE NOT entity:Gene OR any(dataset IN coalesce(entity.datasets, []) WHERE dataset <> 'reactome')
RETURN right(entity.id, 2) AS part,
       collect({id: entity.id, drug: entity:Drug, gene: entity.gene,
                name: CASE WHEN entity:Gene THEN entity.name END,
                xrefs: coalesce(entity.xrefs, []) + coalesce(entity.reactome_reference, []),
                properties: {preferred_name: entity.preferred_name, aliases: entity.aliases,
                             more_xrefs: entity.more_xrefs}}) AS rows
