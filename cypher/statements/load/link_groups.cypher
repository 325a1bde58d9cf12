// Joins structures to the functional groups that a data set says they have; what it no longer says goes.
UNWIND $rows AS row
MATCH (head:Entity {id: row.id})
CALL (head) {
    MATCH (head)-[old:HAS_GROUP]->()
    WHERE old.dataset = $dataset
    DELETE old
}
CALL (head, row) {
    UNWIND row.groups AS said
    MATCH (group:FunctionalGroup {name: said.name})
    CREATE (head)-[:HAS_GROUP {dataset: $dataset, count: said.count}]->(group)
}
