// Each RelationType has its own id, and is found by it.
CREATE CONSTRAINT relation_type_id IF NOT EXISTS
FOR (n:RelationType) REQUIRE n.id IS UNIQUE
