// Makes drug-drug interactions what a data set says they are; each is kept once.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Drug {id: row.tail})
MERGE (head)-[fact:DDI {dataset: $dataset, relation: row.properties.relation}]->(tail)
SET fact = row.properties
