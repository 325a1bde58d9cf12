// What the graph holds of a data set's actions of drugs on proteins.
MATCH (head)-[fact:ACTION {dataset: $dataset}]->(tail)
RETURN head.id AS head, collect([tail.id, properties(fact), elementId(fact)]) AS facts
