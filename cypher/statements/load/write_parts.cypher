// Joins complexes and sets to their parts, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:PhysicalEntity {id: row.head})
MATCH (tail:PhysicalEntity {id: row.tail})
CREATE (head)-[edge:$(row.type)]->(tail)
SET edge = row.properties
