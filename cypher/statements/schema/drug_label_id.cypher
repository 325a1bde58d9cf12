// Each DrugLabel has its own id, and is found by it.
CREATE CONSTRAINT drug_label_id IF NOT EXISTS
FOR (n:DrugLabel) REQUIRE n.id IS UNIQUE
