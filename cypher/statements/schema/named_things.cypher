// Drugs, proteins and the like by the words of names that data sets give them: what questions are described by.
CREATE FULLTEXT INDEX named_things IF NOT EXISTS
FOR (n:Drug|Protein|Chemical|Gene|Transcript|Thing) ON EACH [n.name, n.synonyms, n.gene, n.other_names]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
