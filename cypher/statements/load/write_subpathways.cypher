// Puts pathways below others, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Pathway {id: row.head})
MATCH (tail:Pathway {id: row.tail})
CREATE (head)-[edge:HAS_EVENT]->(tail)
SET edge = row.properties
