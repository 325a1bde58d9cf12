// Deletes some of the nodes that a data set has alone, with their edges; repeated until it deletes none.
CALL () {
    MATCH (node:Passage {dataset: $dataset})
    RETURN node LIMIT $limit
  UNION ALL
    MATCH (node:Pathway {dataset: $dataset})
    RETURN node LIMIT $limit
  UNION ALL
    MATCH (node:Reaction {dataset: $dataset})
    RETURN node LIMIT $limit
  UNION ALL
    MATCH (node:PhysicalEntity {dataset: $dataset})
    RETURN node LIMIT $limit
}
WITH node LIMIT $limit
DETACH DELETE node
