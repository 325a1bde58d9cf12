// Pathways, reactions and their participants by the words of their names, whatever their case and accents.
CREATE FULLTEXT INDEX pathway_names IF NOT EXISTS
FOR (n:Pathway|Reaction|PhysicalEntity) ON EACH [n.name, n.synonyms]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
