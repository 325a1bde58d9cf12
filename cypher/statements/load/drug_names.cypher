// By which names does the graph know its drugs?
MATCH (drug:Drug)
RETURN drug.id AS id, drug.name AS name, drug.synonyms AS synonyms, drug.xrefs AS xrefs,
       drug.datasets AS datasets
ORDER BY id
