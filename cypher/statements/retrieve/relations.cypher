// Which relation types lie nearest to a question (the first vector) and to its parts (the others)?
UNWIND range(0, size($vectors) - 1) AS part
CALL db.index.vector.queryNodes('relation_embedding', CASE part WHEN 0 THEN $depth ELSE $part_depth END, $vectors[part])
YIELD node AS relation, score
RETURN part, relation.kind AS kind, relation.name AS name, 2 * score - 1 AS cosine
