// Each class of drugs has its own id, and is found by it.
CREATE CONSTRAINT drug_class_id IF NOT EXISTS
FOR (n:DrugClass) REQUIRE n.id IS UNIQUE
