// Each FunctionalGroup has its own name, and is found by it.
CREATE CONSTRAINT functional_group_name IF NOT EXISTS
FOR (n:FunctionalGroup) REQUIRE n.name IS UNIQUE
