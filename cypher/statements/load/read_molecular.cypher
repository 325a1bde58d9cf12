// What the graph holds of a data set's molecular interactions.
MATCH (head)-[fact:MOLECULAR {dataset: $dataset}]->(tail)
RETURN head.id AS head, collect([tail.id, properties(fact), elementId(fact)]) AS facts
