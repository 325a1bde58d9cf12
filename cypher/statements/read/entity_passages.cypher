// A page of the passages that describe an entity, and of those of its drug labels, by document and position.
MATCH (entity:Entity {id: $id})
CALL (entity) {
    MATCH (entity)-[:DESCRIBED_BY]->(passage:Passage)
    RETURN passage, entity AS described, null AS label, 0 AS place
  UNION ALL
    MATCH (entity)<-[:LABELS]-(found:DrugLabel)
    WITH DISTINCT found
    MATCH (found)-[:HAS_SECTION]->(passage:Passage)
    RETURN passage, null AS described, found AS label, 1 AS place
}
WITH passage, described, label, place
WHERE $section IS NULL OR passage.section = $section
WITH passage, described, label, place
ORDER BY place, coalesce(label.id, ''), passage.dataset, passage.source, passage.position, passage.id
WITH collect({passage: passage, described: described, label: label}) AS found
RETURN size(found) AS total,
       COLLECT { UNWIND found[$offset..$offset + $limit] AS row
                 WITH row.passage AS passage, row.described AS described, row.label AS label
                 RETURN {
                   passage: passage {.id, .text, .title, .section, .section_title, .topic, .boxed, .source, .document,
                                     .position},
                   entity: described {.id, .name, .preferred_name, .synonyms, labels: labels(described)},
                   label: label {.id, .name, .effective},
                   drugs: COLLECT { MATCH (label)-[:LABELS]->(drug:Drug) WITH DISTINCT drug ORDER BY drug.id
                     RETURN drug {.id, .name, .preferred_name, .synonyms, labels: labels(drug)} }
                 } } AS page
