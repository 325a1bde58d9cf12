// Adds drug-protein interactions that the graph was found to lack.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
CREATE (head)-[fact:DPI]->(tail)
SET fact = row.properties
