// By which identifiers and names are the proteins and drugs known?
MATCH (entity:Protein|Drug)
RETURN entity.id AS id, entity.name AS name, entity.gene AS gene, entity.synonyms AS synonyms,
       entity.xrefs AS xrefs, entity.datasets AS datasets
ORDER BY id
