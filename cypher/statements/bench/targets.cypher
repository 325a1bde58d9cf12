// Which drug acts on which protein, in the relations of both kinds of source.
MATCH (drug:Drug)-[fact:DPI|ACTION]->(protein:Protein)
RETURN DISTINCT drug.id AS drug, fact.relation AS relation, protein.id AS protein
ORDER BY drug, protein, relation
