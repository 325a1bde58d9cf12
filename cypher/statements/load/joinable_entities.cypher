// By which identifiers, structures and names are drugs, chemicals, proteins and genes known, whoever says so?
MATCH (entity:Drug|Protein|Chemical|Gene|Transcript)
RETURN entity.id AS id, labels(entity) AS labels, entity.datasets AS datasets, entity.name AS name,
       entity.gene AS gene, entity.inchikey AS inchikey, entity.synonyms AS synonyms,
       entity.composition AS composition, entity.formula AS formula,
       entity.canonical_smiles AS canonical_smiles, entity.parent_smiles AS parent_smiles,
       [key IN keys(entity) WHERE toLower(last(split(key, ':'))) IN $species | [last(split(key, ':')), entity[key]]] AS species,
       entity.xrefs AS xrefs,
       reduce(all = [], key IN [key IN keys(entity) WHERE (key ENDS WITH ':synonyms' OR key ENDS WITH ':name')
                                                      AND NOT key STARTS WITH $own] |
              all + entity[key]) AS other_names,
       reduce(all = [], key IN [key IN keys(entity) WHERE key ENDS WITH ':xrefs' AND NOT key STARTS WITH $own] |
              all + entity[key]) AS other_xrefs
