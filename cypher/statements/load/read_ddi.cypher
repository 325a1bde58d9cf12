// What the graph holds of a data set's drug-drug interactions.
MATCH (head)-[fact:DDI {dataset: $dataset}]->(tail)
RETURN head.id AS head, collect([tail.id, properties(fact), elementId(fact)]) AS facts
