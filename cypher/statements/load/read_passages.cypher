// What the graph holds of a data set's passages, without their embeddings.
MATCH (passage:Passage {dataset: $dataset})
OPTIONAL MATCH (entity:Entity)-[:DESCRIBED_BY]->(passage)
WITH passage, collect(entity.id) AS entities
RETURN passage.id AS id, entities, size(passage.embedding) AS dimension,
       passage {.text, .title, .section, .source, .document, .position, .composed, .dataset, .encoder} AS properties
