// Which of Reactome's triples around these nodes fit a question best, by both ends and the relation?
CALL () {
    UNWIND $around AS id
    MATCH (reaction:Reaction {id: id})-[edge:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->(:PhysicalEntity)
    RETURN edge
  UNION
    UNWIND $around AS id
    MATCH (entity:PhysicalEntity {id: id})<-[edge:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]-(:Reaction)
    RETURN edge
  UNION
    UNWIND $around AS id
    MATCH (thing:Entity {id: id})-[edge:PARTICIPATES_IN {direct: true}]->(:Pathway)
    RETURN edge
  UNION
    UNWIND $around AS id
    MATCH (pathway:Pathway {id: id})<-[edge:PARTICIPATES_IN {direct: true}]-(:Entity)
    RETURN edge
}
WITH edge, startNode(edge) AS first, endNode(edge) AS second, type(edge) AS type
WITH edge,
     CASE WHEN type IN ['CATALYZED_BY', 'REGULATED_BY'] THEN second ELSE first END AS head,
     CASE WHEN type IN ['CATALYZED_BY', 'REGULATED_BY'] THEN first ELSE second END AS tail,
     CASE type
       WHEN 'CATALYZED_BY' THEN 'catalyzes'
       WHEN 'INPUT' THEN 'consumes'
       WHEN 'OUTPUT' THEN 'produces'
       WHEN 'PARTICIPATES_IN' THEN 'participates in'
       ELSE CASE edge.regulation
              WHEN 'activation' THEN 'regulates by activation'
              WHEN 'inhibition' THEN 'regulates by inhibition'
              WHEN 'requirement' THEN 'regulates as a requirement'
              ELSE 'regulates'
            END
     END AS relation
WHERE (size($sources) = 0 OR any(source IN $sources WHERE edge.source STARTS WITH source))
  AND (size($entities) = 0 OR head.id IN $entities OR tail.id IN $entities)
WITH head, tail, relation, min(edge.source) AS source
WITH head, tail, relation, source,
     coalesce($evidence[head.id], 0.0) + coalesce($evidence[tail.id], 0.0) AS pair,
     coalesce($related[relation], 0.0) AS related,
     coalesce($asked[relation], 0.0) AS asked
WITH *, pair + related + asked AS score
ORDER BY score DESC, head.id, relation, tail.id
LIMIT $k
RETURN head.id AS head_id, head.name AS head_name, labels(head) AS head_labels,
       head.preferred_name AS head_preferred_name, coalesce(head.synonyms, []) + coalesce(head.other_names, []) AS head_synonyms,
       relation, 'REACTOME' AS kind, source,
       tail.id AS tail_id, tail.name AS tail_name, labels(tail) AS tail_labels,
       tail.preferred_name AS tail_preferred_name, coalesce(tail.synonyms, []) + coalesce(tail.other_names, []) AS tail_synonyms,
       score, pair, related, asked
