// Deletes edges that a data set no longer states.
UNWIND $rows AS row
MATCH ()-[edge]->()
WHERE elementId(edge) = row.element
DELETE edge
