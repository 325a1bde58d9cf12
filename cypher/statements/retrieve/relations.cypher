// Which relation types lie nearest to a question (the first vector) and to its parts (the others)?
UNWIND range(0, size($vectors) - 1) AS part
WITH part, CASE part WHEN 0 THEN $depth ELSE $part_depth END AS depth
CALL (part, depth) {
    // Those of Reactome's edges are weighed by themselves, and take no place here.
    CALL db.index.vector.queryNodes('relation_embedding', depth + 8, $vectors[part])
    YIELD node AS relation, score
    WHERE relation.kind <> 'REACTOME'
    RETURN relation, score ORDER BY score DESC LIMIT depth
}
RETURN part, relation.kind AS kind, relation.name AS name, 2 * score - 1 AS cosine
