// Pathways with the proteins that take part in their own reactions (direct) and in those of their parts.
MATCH (protein:Protein)-[edge:PARTICIPATES_IN]->(pathway:Pathway)
RETURN pathway.id AS id, pathway.name AS name,
       collect(DISTINCT CASE WHEN edge.direct THEN protein.id END) AS direct,
       collect(DISTINCT protein.id) AS all
ORDER BY id
