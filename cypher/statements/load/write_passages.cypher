// Adds passages that the graph was found to lack, each joined to the entity that it describes.
UNWIND $rows AS row
MATCH (entity:Entity {id: row.entity})
MERGE (passage:Passage {id: row.id})
SET passage += row.properties
CREATE (entity)-[:DESCRIBED_BY]->(passage)
