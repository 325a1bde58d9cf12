// Which relation types lie nearest to a question (the first vector) and to its parts (the others)?
UNWIND range(0, size($vectors) - 1) AS part
WITH part, CASE part WHEN 0 THEN $depth ELSE $part_depth END AS depth
// Those of Reactome's edges are weighed by themselves, and take no place here.
CALL db.index.vector.queryNodes('relation_embedding', depth + 8, $vectors[part])
YIELD node AS relation, score
WHERE relation.kind <> 'REACTOME'
WITH part, depth, relation, score ORDER BY score DESC
WITH part, depth, collect({kind: relation.kind, name: relation.name, cosine: 2 * score - 1}) AS found
UNWIND found[..depth] AS near
RETURN part, near.kind AS kind, near.name AS name, near.cosine AS cosine
