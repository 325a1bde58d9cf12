// The baseline of graph_loader.speed: one drug-drug interaction in a transaction of its own.
MATCH (head:Drug {id: $head})
MATCH (tail:Drug {id: $tail})
MERGE (head)-[fact:DDI {relation: $relation}]->(tail)
SET fact.source = $source
