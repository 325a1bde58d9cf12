// Each Graph has its own id, and is found by it.
CREATE CONSTRAINT graph_id IF NOT EXISTS
FOR (n:Graph) REQUIRE n.id IS UNIQUE
