// Makes relation types what a data set's own edges say; an embedding that is not given stays.
UNWIND $rows AS row
MERGE (relation:RelationType {id: row.id})
SET relation += row.properties
