// Adds actions of drugs on proteins that the graph was found to lack.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
CREATE (head)-[fact:ACTION]->(tail)
SET fact = row.properties
