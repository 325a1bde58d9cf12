// Every class that drugs have, with the classes that it is one of.
MATCH (class:DrugClass)
RETURN class.id AS id, coalesce(class.vocabulary_name, class.name) AS name,
       coalesce(class.vocabulary_hidden, false) AS hidden, coalesce(class.vocabulary_synonyms, []) AS names,
       COLLECT { MATCH (class)-[:IS_A]->(parent:DrugClass) RETURN DISTINCT parent.id } AS parents
