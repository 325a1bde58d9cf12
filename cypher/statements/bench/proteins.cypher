// Every protein: what it is called, and whether a drug acts on it.
MATCH (protein:Protein)
RETURN protein.id AS id, protein.name AS name, protein.preferred_name AS preferred_name, protein.gene AS gene,
       coalesce(protein.synonyms, []) AS synonyms, EXISTS { (protein)<-[:DPI|ACTION]-(:Drug) } AS targeted
ORDER BY id
