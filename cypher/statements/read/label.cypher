// One drug label by its id, or of its set id: what it says of itself, its drugs, its passages.
MATCH (label:DrugLabel)
WHERE label.id IN [$id, 'dailymed:' + $id]
WITH label ORDER BY label.id LIMIT 1
RETURN label {.id, .name, .title, .version, .effective, .document_type, .maker, .products, .generics, .substances,
              .uniis, .classes, .source} AS label,
       COLLECT { MATCH (label)-[:LABELS]->(drug:Drug) WITH DISTINCT drug ORDER BY drug.id
                 RETURN drug {.id, .name, .preferred_name, .synonyms, labels: labels(drug)} } AS drugs,
       COLLECT { MATCH (label)-[:HAS_SECTION]->(passage:Passage)
                 WHERE $section IS NULL OR passage.section = $section
                 RETURN passage {.id, .text, .title, .section, .section_title, .topic, .boxed, .source, .document,
                                 .position, .dataset} } AS passages
