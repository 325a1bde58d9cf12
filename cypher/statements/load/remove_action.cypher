// Deletes actions of drugs on proteins that a data set no longer states.
UNWIND $rows AS row
MATCH (head:Drug {id: row.head})
MATCH (tail:Protein {id: row.tail})
MATCH (head)-[fact:ACTION {dataset: $dataset, relation: row.relation, mode: row.mode, action: row.action, score: row.score}]->(tail)
DELETE fact
