// Makes actions of drugs on proteins what a data set says they are; each is kept once.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
MERGE (head)-[fact:ACTION {dataset: $dataset, relation: row.properties.relation, mode: row.properties.mode, action: row.properties.action, score: row.properties.score}]->(tail)
SET fact = row.properties
