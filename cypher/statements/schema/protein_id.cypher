// Each Protein has its own id, and is found by it.
CREATE CONSTRAINT protein_id IF NOT EXISTS
FOR (n:Protein) REQUIRE n.id IS UNIQUE
