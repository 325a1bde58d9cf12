// Which proteins, chemicals and sequences take part in a pathway's own reactions: many pathways in one row.
MATCH (thing:Entity)-[edge:PARTICIPATES_IN]->(pathway:Pathway)
WHERE edge.direct
WITH pathway.id AS id, collect([thing.id, edge.source]) AS edges
RETURN right(id, 2) AS part, collect([id, edges]) AS rows
