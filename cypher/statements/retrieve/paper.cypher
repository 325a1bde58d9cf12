// The published pipeline: of the triples of the recognised entities, whose relation is nearest to the question?
CALL db.index.vector.queryNodes('relation_embedding', $depth + 8, $vector)
YIELD node AS type, score
WHERE type.kind <> 'REACTOME'
WITH collect({kind: type.kind, name: type.name, cosine: 2 * score - 1}) AS near
UNWIND $around AS id
MATCH (:Entity {id: id})-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]-(:Entity)
WHERE type(fact) IN $kinds
  AND (type(fact) <> 'FACT' OR size($evidence_types) = 0 OR CASE toLower(toString(fact.agent_type))
         WHEN 'text_mining_agent' THEN 'text_mined'
         WHEN 'manual_agent' THEN 'curated'
         WHEN 'manual_validation_of_automated_agent' THEN 'curated'
         ELSE 'imported'
       END IN $evidence_types)
  AND (size($sources) = 0 OR any(source IN $sources WHERE fact.source STARTS WITH source))
WITH DISTINCT near, fact, startNode(fact) AS head, endNode(fact) AS tail
WHERE size($entities) = 0 OR head.id IN $entities OR tail.id IN $entities
UNWIND near AS type
WITH head, tail, type, fact WHERE type.kind = type(fact) AND type.name = fact.relation
WITH head, tail, type.kind AS kind, type.name AS relation, type.cosine AS score, min(fact.source) AS source
ORDER BY score DESC, head.id, relation, tail.id
LIMIT $k
RETURN head.id AS head_id, head.name AS head_name, labels(head) AS head_labels,
       head.preferred_name AS head_preferred_name, coalesce(head.synonyms, []) + coalesce(head.other_names, []) AS head_synonyms,
       relation, kind, source,
       tail.id AS tail_id, tail.name AS tail_name, labels(tail) AS tail_labels,
       tail.preferred_name AS tail_preferred_name, coalesce(tail.synonyms, []) + coalesce(tail.other_names, []) AS tail_synonyms,
       score, score AS related
