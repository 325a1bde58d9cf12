// Which classes does a data set put below which?
MATCH (head:Entity)-[edge:IS_A {dataset: $dataset}]->(tail:DrugClass)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
