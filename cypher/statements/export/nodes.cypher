// Every node, as it is.
MATCH (n)
RETURN id(n) AS id, labels(n) AS labels, properties(n) AS properties
