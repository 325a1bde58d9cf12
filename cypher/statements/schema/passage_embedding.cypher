// Passages by the meaning of their text.
CREATE VECTOR INDEX passage_embedding IF NOT EXISTS
FOR (n:Passage) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}
