// Deletes functional groups that no structure has any more.
UNWIND $rows AS row
MATCH (group:FunctionalGroup {name: row.name})
DETACH DELETE group
