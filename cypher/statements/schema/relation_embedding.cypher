// Relation types by the meaning of their names.
CREATE VECTOR INDEX relation_embedding IF NOT EXISTS
FOR (n:RelationType) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}
