// Joins reactions to what takes part in them, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Reaction {id: row.head})
MATCH (tail:PhysicalEntity {id: row.tail})
CREATE (head)-[edge:$(row.type)]->(tail)
SET edge = row.properties
