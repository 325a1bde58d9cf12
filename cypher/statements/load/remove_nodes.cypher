// Deletes nodes that the data set that owns them no longer has.
UNWIND $rows AS row
MATCH (node)
WHERE elementId(node) = row.element
DETACH DELETE node
