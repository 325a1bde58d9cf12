// Nodes that a data set no longer has: those that no other data set has are deleted.
UNWIND $rows AS row
MATCH (node)
WHERE elementId(node) = row.element
REMOVE node:$(row.stale)
SET node += row.properties
WITH node, row
WHERE row.alone
DETACH DELETE node
