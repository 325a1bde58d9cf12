// Makes passages what a data set says they are, each joined to the entity that it describes.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.entity})
MERGE (passage:Passage {id: row.id})
SET passage += row.properties
MERGE (entity)-[:DESCRIBED_BY]->(passage)
