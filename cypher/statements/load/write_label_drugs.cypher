// Joins drug labels to drugs that they name, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:DrugLabel {id: row.head})
MATCH (tail:Drug {id: row.tail})
CREATE (head)-[edge:LABELS]->(tail)
SET edge = row.properties
