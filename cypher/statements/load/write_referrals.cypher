// Joins molecules to the protein, chemical or sequence that they are, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:PhysicalEntity {id: row.head})
MATCH (tail:Entity {id: row.tail})
CREATE (head)-[edge:REFERS_TO]->(tail)
SET edge = row.properties
