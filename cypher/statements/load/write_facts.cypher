// Adds facts of any kind that the graph was found to lack; the kind is one of a fixed list.
UNWIND $rows AS row
MATCH (head:Entity {id: row.head})
MATCH (tail:Entity {id: row.tail})
CREATE (head)-[fact:$(row.kind)]->(tail)
SET fact = row.properties
