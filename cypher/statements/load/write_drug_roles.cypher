// Puts drugs into classes, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Entity {id: row.head})
MATCH (tail:Entity {id: row.tail})
CREATE (head)-[edge:HAS_ROLE]->(tail)
SET edge = row.properties
