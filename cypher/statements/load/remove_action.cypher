// Deletes actions of drugs on proteins that a data set no longer states.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
MATCH (head)-[fact:ACTION {dataset: $dataset, relation: row.properties.relation, mode: row.properties.mode, action: row.properties.action, score: row.properties.score}]->(tail)
DELETE fact
