// Everything that is an end of one of Reactome's triples: many in one row.
CALL () {
    MATCH (node:Reaction)
    WHERE EXISTS { (node)-[:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->() }
    RETURN node
  UNION ALL
    MATCH (node:PhysicalEntity)
    WHERE EXISTS { (node)<-[:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]-() }
    RETURN node
  UNION ALL
    MATCH (node:Pathway)
    WHERE EXISTS { (node)<-[:PARTICIPATES_IN {direct: true}]-() }
    RETURN node
  UNION ALL
    MATCH (node:Entity)
    WHERE EXISTS { (node)-[:PARTICIPATES_IN {direct: true}]->() }
    RETURN node
}
RETURN right(node.id, 2) AS part, collect([node.id, node.name, labels(node), node.synonyms, node.gene]) AS rows
