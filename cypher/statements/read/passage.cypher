// One passage by its id, with the entity it describes, its drug label and the drugs of that.
MATCH (passage:Passage {id: $id})
OPTIONAL MATCH (passage)<-[:DESCRIBED_BY]-(entity:Entity)
WITH passage, entity ORDER BY entity.id LIMIT 1
OPTIONAL MATCH (passage)<-[:HAS_SECTION]-(label:DrugLabel)
WITH passage, entity, label ORDER BY label.id LIMIT 1
RETURN passage {.id, .text, .title, .section, .section_title, .topic, .boxed, .source, .document, .position} AS passage,
       entity {.id, .name, .preferred_name, .synonyms, labels: labels(entity)} AS entity,
       label {.id, .name, .effective} AS label,
       COLLECT { MATCH (label)-[:LABELS]->(drug:Drug) WITH DISTINCT drug ORDER BY drug.id
                 RETURN drug {.id, .name, .preferred_name, .synonyms, labels: labels(drug)} } AS drugs
