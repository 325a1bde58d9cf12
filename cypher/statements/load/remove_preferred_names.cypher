// Takes the vocabulary's names and identifiers from things.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.id})
REMOVE entity.preferred_name, entity.aliases, entity.more_xrefs
