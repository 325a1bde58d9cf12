// By which identifiers are these things known elsewhere, and what are their labels?
CALL () {
    MATCH (thing:Entity)
    WHERE thing.id IN $ids
    RETURN thing
  UNION
    MATCH (thing:PhysicalEntity)
    WHERE thing.id IN $ids
    RETURN thing
  UNION
    MATCH (thing:Reaction)
    WHERE thing.id IN $ids
    RETURN thing
  UNION
    MATCH (thing:Pathway)
    WHERE thing.id IN $ids
    RETURN thing
}
RETURN thing.id AS id, coalesce(thing.xrefs, []) + coalesce(thing.more_xrefs, []) AS xrefs, labels(thing) AS labels
