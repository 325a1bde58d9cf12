// Which reactions of a data set precede which?
MATCH (head:Reaction {dataset: $dataset})-[edge:PRECEDES]->(tail:Reaction)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
