// Deletes drug-protein interactions that a data set no longer states.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
MATCH (head)-[fact:DPI {dataset: $dataset, relation: row.properties.relation}]->(tail)
DELETE fact
