// Which reactions happen in which pathways of a data set?
MATCH (head:Pathway {dataset: $dataset})-[edge:HAS_EVENT]->(tail:Reaction)
RETURN head.id AS head, collect([type(edge), tail.id, null, properties(edge), elementId(edge)]) AS edges
