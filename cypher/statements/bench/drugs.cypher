// Every drug that a fact is of, with the names it goes by and what is told of its molecule.
MATCH (drug:Drug)
WHERE EXISTS { (drug)-[:DDI|DPI|ACTION|MOLECULAR]-() }
RETURN drug.id AS id, drug.name AS name, drug.preferred_name AS preferred_name,
       coalesce(drug.synonyms, []) AS synonyms, drug.weight AS weight, drug.formula AS formula
ORDER BY id
