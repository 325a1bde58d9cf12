// What else than proteins takes part in a pathway.
MATCH (thing:Entity)-[:PARTICIPATES_IN]->(pathway:Pathway)
WHERE NOT thing:Protein
RETURN pathway.id AS id, collect(DISTINCT thing.id) AS things
ORDER BY id
