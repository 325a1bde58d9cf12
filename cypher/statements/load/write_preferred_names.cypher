// Gives things the names and identifiers that the vocabulary has for them.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.id})
SET entity += row.properties
