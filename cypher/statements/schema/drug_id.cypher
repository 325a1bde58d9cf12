// Each Drug has its own id, and is found by it.
CREATE CONSTRAINT drug_id IF NOT EXISTS
FOR (n:Drug) REQUIRE n.id IS UNIQUE
