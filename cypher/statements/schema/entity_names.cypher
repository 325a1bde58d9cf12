// Drugs, proteins and the like by the words of their names and synonyms, other data sets' too, whatever their case.
CREATE FULLTEXT INDEX entity_names IF NOT EXISTS
FOR (n:Drug|Protein|Chemical|Gene|Transcript|Thing) ON EACH [n.name, n.synonyms, n.gene, n.other_names]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
