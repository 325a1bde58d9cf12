// Makes pathways what a data set says they are.
UNWIND $rows AS row
MERGE (node:Pathway {id: row.id})
SET node += row.properties
