// Which reactions of a data set precede which?
MATCH (head:Reaction {dataset: $dataset})-[edge:PRECEDES]->(tail:Reaction)
RETURN head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
