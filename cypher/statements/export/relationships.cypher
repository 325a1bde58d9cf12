// Every relationship, as it is.
MATCH (head)-[r]->(tail)
RETURN id(head) AS head, type(r) AS type, id(tail) AS tail, properties(r) AS properties
