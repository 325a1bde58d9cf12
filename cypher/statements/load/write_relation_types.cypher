// Makes relation types what the fact edges say; an embedding that is not given stays.
UNWIND $rows AS row
MERGE (relation:RelationType {id: row.id})
SET relation += row.properties
