// Which drugs does a data set put into which classes?
MATCH (head:Entity)-[edge:HAS_ROLE {dataset: $dataset}]->(tail:DrugClass)
WITH head.id AS head, collect([type(edge), tail.id, edge.relation, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
