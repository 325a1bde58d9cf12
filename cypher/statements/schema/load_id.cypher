// Each Load has its own id, and is found by it.
CREATE CONSTRAINT load_id IF NOT EXISTS
FOR (n:Load) REQUIRE n.id IS UNIQUE
