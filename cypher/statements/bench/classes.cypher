// Classes of drugs with all their members, those of the classes below them too.
MATCH (class:DrugClass)
OPTIONAL MATCH (drug:Drug)-[:HAS_ROLE]->(:DrugClass)-[:IS_A*0..]->(class)
RETURN class.id AS id, class.name AS name, coalesce(class.vocabulary_hidden, false) AS hidden,
       collect(DISTINCT drug.id) AS members
ORDER BY id
