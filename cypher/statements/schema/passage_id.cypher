// Each Passage has its own id, and is found by it.
CREATE CONSTRAINT passage_id IF NOT EXISTS
FOR (n:Passage) REQUIRE n.id IS UNIQUE
