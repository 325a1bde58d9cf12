// Each Chemical has its own id, and is found by it.
CREATE CONSTRAINT chemical_id IF NOT EXISTS
FOR (n:Chemical) REQUIRE n.id IS UNIQUE
