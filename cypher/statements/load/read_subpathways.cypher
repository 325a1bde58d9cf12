// Which pathways of a data set are parts of which?
MATCH (head:Pathway {dataset: $dataset})-[edge:HAS_EVENT]->(tail:Pathway)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
