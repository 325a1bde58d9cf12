// Joins proteins, chemicals and sequences to pathways, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Entity {id: row.head})
MATCH (tail:Pathway {id: row.tail})
CREATE (head)-[edge:PARTICIPATES_IN]->(tail)
SET edge = row.properties
