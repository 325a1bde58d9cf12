// Joins structures to their functional groups, where the graph was found to lack it.
UNWIND $rows AS row
MATCH (head:Entity {id: row.head})
MATCH (group:FunctionalGroup {name: row.tail})
CREATE (head)-[link:HAS_GROUP]->(group)
SET link = row.properties
