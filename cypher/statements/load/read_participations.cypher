// Which proteins, chemicals and sequences take part in the pathways of a data set?
MATCH (tail:Pathway {dataset: $dataset})<-[edge:PARTICIPATES_IN]-(head:Entity)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
