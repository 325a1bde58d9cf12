// The passages of each label by section; the section of a part is that of the whole.
MATCH (label:DrugLabel)-[:HAS_SECTION]->(passage:Passage)
RETURN label.id AS id, label.name AS name, coalesce(passage.section, passage.own_section) AS section,
       collect(DISTINCT passage.id) AS passages
ORDER BY id, section
