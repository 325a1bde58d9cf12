// Which things do several data sets have, and how does each of these number them?
MATCH (entity:Entity)
WHERE size(entity.datasets) > 1
RETURN entity.id AS id, entity.name AS name, entity.datasets AS datasets, entity.xrefs AS xrefs,
       [key IN keys(entity) WHERE key ENDS WITH ':id' OR key ENDS WITH ':xrefs' OR key ENDS WITH '_reference' |
        [key, entity[key]]] AS others,
       [key IN keys(entity) WHERE key ENDS WITH ':join' OR key ENDS WITH '_join' | [key, entity[key]]] AS joins
ORDER BY id
