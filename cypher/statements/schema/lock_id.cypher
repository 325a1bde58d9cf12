// Each Lock has its own id; two transactions cannot make the same one at once.
CREATE CONSTRAINT lock_id IF NOT EXISTS
FOR (n:Lock) REQUIRE n.id IS UNIQUE
