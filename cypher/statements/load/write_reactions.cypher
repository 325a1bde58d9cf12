// Makes reactions what a data set says they are.
UNWIND $rows AS row
MERGE (node:Reaction {id: row.id})
SET node += row.properties
