// Which triples around these entities, or of these relations, fit the whole question best?
CALL () {
    UNWIND $around AS id
    MATCH (:Entity {id: id})-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]-(:Entity)
    RETURN fact
  UNION
    UNWIND $named.DDI AS name
    MATCH (:Entity)-[fact:DDI {relation: name}]->(:Entity)
    RETURN fact
  UNION
    UNWIND $named.DPI AS name
    MATCH (:Entity)-[fact:DPI {relation: name}]->(:Entity)
    RETURN fact
  UNION
    UNWIND $named.MOLECULAR AS name
    MATCH (:Entity)-[fact:MOLECULAR {relation: name}]->(:Entity)
    RETURN fact
  UNION
    UNWIND $named.ACTION AS name
    MATCH (:Entity)-[fact:ACTION {relation: name}]->(:Entity)
    RETURN fact
  UNION
    UNWIND $named.FACT AS name
    MATCH (:Entity)-[fact:FACT {relation: name}]->(:Entity)
    RETURN fact
}
WITH fact, startNode(fact) AS head, endNode(fact) AS tail
WHERE type(fact) IN $kinds
  AND (type(fact) <> 'FACT' OR size($evidence_types) = 0 OR CASE toLower(toString(fact.agent_type))
         WHEN 'text_mining_agent' THEN 'text_mined'
         WHEN 'manual_agent' THEN 'curated'
         WHEN 'manual_validation_of_automated_agent' THEN 'curated'
         ELSE 'imported'
       END IN $evidence_types)
  AND (size($sources) = 0 OR any(source IN $sources WHERE fact.source STARTS WITH source))
  AND (size($entities) = 0 OR head.id IN $entities OR tail.id IN $entities)
WITH head, tail, type(fact) AS kind, fact.relation AS relation, min(fact.source) AS source
WITH head, tail, kind, relation, source,
     coalesce($evidence[head.id], $nothing) AS heads, coalesce($evidence[tail.id], $nothing) AS tails,
     coalesce($relations[kind][relation], 0.0) AS related,
     coalesce($asked[kind][relation], 0.0) AS fit,
     coalesce($mentioned[head.id], 0.0) AS named_head,
     CASE WHEN head = tail THEN 0.0 ELSE coalesce($mentioned[tail.id], 0.0) END AS named_tail
WITH *,
     // Asked of a named entity, the relation decides which of its facts are meant.
     $asked_weight * fit * CASE WHEN named_head > named_tail THEN named_head ELSE named_tail END AS asked,
     // A question that names both ends asks for this pair.
     $joined_weight * CASE WHEN named_head < named_tail THEN named_head ELSE named_tail END AS joined
// The sum of both ends bounds what their words can be worth together: only the best go on.
ORDER BY heads.total + tails.total + related + asked + joined DESC, head.id, relation, tail.id
LIMIT $candidates
WITH *,
     // Each word is spent on the end that it fits better.
     reduce(sum = 0.0, place IN $places |
            sum + CASE WHEN heads.words[place] > tails.words[place] THEN heads.words[place]
                       ELSE tails.words[place] END) AS pair,
     // One cut through the question: a part for one end, the rest for the other, in either order.
     reduce(best = 0.0, place IN $places |
            CASE WHEN heads.sums[place] - tails.sums[place] > best THEN heads.sums[place] - tails.sums[place]
                 ELSE best END) AS head_first,
     reduce(best = 0.0, place IN $places |
            CASE WHEN tails.sums[place] - heads.sums[place] > best THEN tails.sums[place] - heads.sums[place]
                 ELSE best END) AS tail_first
WITH *,
     CASE WHEN tails.total + head_first > heads.total + tail_first THEN tails.total + head_first
          ELSE heads.total + tail_first END AS split
WITH *, pair + split + related + asked + joined AS score
ORDER BY score DESC, head.id, relation, tail.id
LIMIT $k
RETURN head.id AS head_id, head.name AS head_name, labels(head) AS head_labels,
       head.preferred_name AS head_preferred_name, coalesce(head.synonyms, []) + coalesce(head.other_names, []) AS head_synonyms,
       relation, kind, source,
       tail.id AS tail_id, tail.name AS tail_name, labels(tail) AS tail_labels,
       tail.preferred_name AS tail_preferred_name, coalesce(tail.synonyms, []) + coalesce(tail.other_names, []) AS tail_synonyms,
       score, pair, split, related, asked, joined
