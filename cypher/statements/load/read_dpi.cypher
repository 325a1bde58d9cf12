// What the graph holds of a data set's drug-protein interactions.
MATCH (head)-[fact:DPI {dataset: $dataset}]->(tail)
RETURN head.id AS head, collect([tail.id, properties(fact), elementId(fact)]) AS facts
