// Deletes molecular interactions that a data set no longer states.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Drug {id: row.tail})
MATCH (head)-[fact:MOLECULAR {dataset: $dataset, relation: row.properties.relation}]->(tail)
DELETE fact
