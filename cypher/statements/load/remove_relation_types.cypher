// Deletes relation types that no fact edge carries any more.
UNWIND $rows AS row
MATCH (relation:RelationType {id: row.id})
DETACH DELETE relation
