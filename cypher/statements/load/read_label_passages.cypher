// What the graph holds of the passages of a data set's drug labels, without their embeddings.
MATCH (passage:Passage {dataset: $dataset})
RETURN passage.id AS id, elementId(passage) AS element, labels(passage) AS labels,
       size(passage.embedding) AS dimension,
       passage {.text, .title, .section_title, .section, .own_section, .topic, .boxed, .source, .document, .position, .composed,
                .dataset, .encoder} AS properties
