// Makes functional groups what the vocabulary says of them.
UNWIND $rows AS row
MERGE (group:FunctionalGroup {name: row.name})
SET group = row.properties
