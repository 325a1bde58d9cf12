// Puts reactions before others, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Reaction {id: row.head})
MATCH (tail:Reaction {id: row.tail})
CREATE (head)-[edge:PRECEDES]->(tail)
SET edge = row.properties
