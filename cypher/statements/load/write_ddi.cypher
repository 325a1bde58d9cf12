// Adds drug-drug interactions that the graph was found to lack.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Drug {id: row.tail})
CREATE (head)-[fact:DDI]->(tail)
SET fact = row.properties
