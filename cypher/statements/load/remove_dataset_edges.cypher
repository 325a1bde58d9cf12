// Deletes some of the facts and links of a data set; repeated until it deletes none.
CALL () {
    MATCH ()-[edge:DDI {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:DPI {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:MOLECULAR {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:ACTION {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:FACT {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:LABELS {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:HAS_GROUP {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:HAS_ROLE {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:IS_A {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:ENCODES {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:STEREOISOMER_OF {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:ISOTOPOLOGUE_OF {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:TAUTOMER_OF {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:SALT_OF {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
  UNION ALL
    MATCH ()-[edge:HAS_COMPONENT {dataset: $dataset}]->()
    RETURN edge LIMIT $limit
}
WITH edge LIMIT $limit
DELETE edge
