// What the graph holds of a data set's pathways.
MATCH (node:Pathway {dataset: $dataset})
RETURN node.id AS id, elementId(node) AS element, labels(node) AS labels, properties(node) AS properties
