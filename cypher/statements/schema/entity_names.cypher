// Entities by every name that anybody gives them, those of the vocabulary too: what a search by name looks in.
CREATE FULLTEXT INDEX entity_names IF NOT EXISTS
FOR (n:Entity) ON EACH [n.name, n.synonyms, n.gene, n.other_names, n.preferred_name, n.aliases, n.vocabulary_synonyms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
