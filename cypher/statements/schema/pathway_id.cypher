// Each Pathway has its own id, and is found by it.
CREATE CONSTRAINT pathway_id IF NOT EXISTS
FOR (n:Pathway) REQUIRE n.id IS UNIQUE
