// Deletes links to functional groups that the structures of a data set no longer have.
UNWIND $rows AS row
MATCH ()-[link:HAS_GROUP]->()
WHERE elementId(link) = row.element
DELETE link
