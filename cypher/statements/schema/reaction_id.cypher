// Each Reaction has its own id, and is found by it.
CREATE CONSTRAINT reaction_id IF NOT EXISTS
FOR (n:Reaction) REQUIRE n.id IS UNIQUE
