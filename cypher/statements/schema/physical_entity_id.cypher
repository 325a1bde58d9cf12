// Each PhysicalEntity has its own id, and is found by it.
CREATE CONSTRAINT physical_entity_id IF NOT EXISTS
FOR (n:PhysicalEntity) REQUIRE n.id IS UNIQUE
