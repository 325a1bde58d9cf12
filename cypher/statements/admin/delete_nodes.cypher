// Deletes some nodes with their relationships; repeated until it deletes none, it empties the database.
MATCH (n)
WITH n LIMIT $limit
DETACH DELETE n
