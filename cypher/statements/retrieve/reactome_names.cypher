// Which pathways, reactions, participants, proteins and chemicals have words of a question in their names?
CALL () {
    CALL db.index.fulltext.queryNodes('pathway_names', $query, {limit: $depth})
    YIELD node, score
    RETURN node, score, true AS event
  UNION ALL
    CALL db.index.fulltext.queryNodes('named_things', $query, {limit: $depth})
    YIELD node, score
    WHERE EXISTS { (node)-[:PARTICIPATES_IN]->() }
    RETURN node, score, false AS event
}
RETURN node.id AS id, node.name AS name, score, event
ORDER BY event, score DESC, id
