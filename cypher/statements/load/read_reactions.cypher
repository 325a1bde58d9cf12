// What the graph holds of a data set's reactions.
MATCH (node:Reaction {dataset: $dataset})
RETURN node.id AS id, elementId(node) AS element, labels(node) AS labels, properties(node) AS properties
