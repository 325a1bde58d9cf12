// Joins drug labels to passages of theirs that the graph was found to lack.
UNWIND $rows AS row
MATCH (head:DrugLabel {id: row.head})
MATCH (tail:Passage {id: row.tail})
CREATE (head)-[edge:HAS_SECTION]->(tail)
SET edge = row.properties
