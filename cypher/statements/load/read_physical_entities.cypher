// What the graph holds of a data set's molecules, complexes and sets.
MATCH (node:PhysicalEntity {dataset: $dataset})
RETURN node.id AS id, elementId(node) AS element, labels(node) AS labels, properties(node) AS properties
