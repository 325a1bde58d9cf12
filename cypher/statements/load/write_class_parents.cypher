// Puts classes of drugs below others, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Entity {id: row.head})
MATCH (tail:Entity {id: row.tail})
CREATE (head)-[edge:IS_A]->(tail)
SET edge = row.properties
