// Which protein, chemical or sequence is each molecule of a data set?
MATCH (head:PhysicalEntity {dataset: $dataset})-[edge:REFERS_TO]->(tail:Entity)
WITH head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
