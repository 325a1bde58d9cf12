// Every passage with its embedding, and the entity it describes if there is one.
MATCH (passage:Passage)
OPTIONAL MATCH (passage)<-[:DESCRIBED_BY]-(entity:Entity)
WITH passage, min(entity.id) AS entity
RETURN entity, passage.id AS id, passage.text AS text, passage.title AS title, passage.section AS section,
       passage.source AS source, passage.document AS document, passage.position AS position,
       coalesce(passage.composed, false) AS composed, passage.embedding AS embedding
