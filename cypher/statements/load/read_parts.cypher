// What are the complexes and sets of a data set made of?
MATCH (head:PhysicalEntity {dataset: $dataset})-[edge:HAS_COMPONENT|HAS_MEMBER]->(tail:PhysicalEntity)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
