// Which reactions happen in which pathways of a data set?
MATCH (head:Pathway {dataset: $dataset})-[edge:HAS_EVENT]->(tail:Reaction)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
