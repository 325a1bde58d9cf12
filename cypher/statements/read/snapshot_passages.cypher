// Every passage with its embedding, the entity it describes and the drug label it is of, if there is one.
MATCH (passage:Passage)
OPTIONAL MATCH (passage)<-[:DESCRIBED_BY]-(entity:Entity)
WITH passage, min(entity.id) AS entity
OPTIONAL MATCH (passage)<-[:HAS_SECTION]-(label:DrugLabel)
WITH passage, entity, min(label.id) AS label
RETURN entity, label, passage.id AS id, passage.text AS text, passage.title AS title, passage.section AS section,
       passage.section_title AS section_title, passage.topic AS topic, coalesce(passage.boxed, false) AS boxed,
       passage.source AS source, passage.document AS document, passage.position AS position,
       coalesce(passage.composed, false) AS composed, passage.embedding AS embedding
