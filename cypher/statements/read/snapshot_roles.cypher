// Which class does each drug have as a role, by which source?
MATCH (drug:Entity)-[role:HAS_ROLE]->(class:DrugClass)
RETURN drug.id AS drug, class.id AS class, role.relation AS relation, role.source AS source, role.via AS via
