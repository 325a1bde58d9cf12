// Entities by the words of their names and synonyms, other data sets' too, whatever their case and accents.
CREATE FULLTEXT INDEX entity_names IF NOT EXISTS
FOR (n:Entity) ON EACH [n.name, n.synonyms, n.gene, n.other_names]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
