// The baseline of graph_loader.speed: one drug in a transaction of its own.
MERGE (drug:Entity {id: $id})
SET drug:Drug
