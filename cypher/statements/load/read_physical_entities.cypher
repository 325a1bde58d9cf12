// What the graph holds of a data set's molecules, complexes and sets.
MATCH (node:PhysicalEntity {dataset: $dataset})
RETURN right(node.id, 2) AS part,
       collect({id: node.id, element: elementId(node), labels: labels(node), properties: properties(node)}) AS rows
