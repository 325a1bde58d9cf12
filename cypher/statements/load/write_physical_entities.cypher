// Makes molecules, complexes and sets what a data set says they are.
UNWIND $rows AS row
MERGE (node:PhysicalEntity {id: row.id})
SET node += row.properties
REMOVE node:$(row.stale)
SET node:$(row.labels)
