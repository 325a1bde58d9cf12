// What is one entity joined to, by which facts? One page, by kind, relation and neighbor.
MATCH (entity:Entity {id: $id})
CALL (entity) {
    WITH entity WHERE $direction <> 'in'
    MATCH (entity)-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]->(neighbor:Entity)
    RETURN fact, neighbor, type(fact) AS kind, fact.relation AS relation, 'out' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'out'
    MATCH (entity)<-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]-(neighbor:Entity)
    RETURN fact, neighbor, type(fact) AS kind, fact.relation AS relation, 'in' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'in' AND 'FACT' IN $kinds
    MATCH (entity)-[fact:ENCODES|STEREOISOMER_OF|ISOTOPOLOGUE_OF|TAUTOMER_OF|SALT_OF|HAS_COMPONENT]->(neighbor:Entity)
    RETURN fact, neighbor, 'FACT' AS kind, fact.relation AS relation, 'out' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'out' AND 'FACT' IN $kinds
    MATCH (entity)<-[fact:ENCODES|STEREOISOMER_OF|ISOTOPOLOGUE_OF|TAUTOMER_OF|SALT_OF|HAS_COMPONENT]-(neighbor:Entity)
    RETURN fact, neighbor, 'FACT' AS kind, fact.relation AS relation, 'in' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'in' AND 'REACTOME' IN $kinds
    MATCH (entity)-[fact:PARTICIPATES_IN {direct: true}]->(neighbor:Pathway)
    RETURN fact, neighbor, 'REACTOME' AS kind, 'participates in' AS relation, 'out' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'in' AND 'HAS_ROLE' IN $kinds
    MATCH (entity)-[fact:HAS_ROLE]->(neighbor:DrugClass)
    RETURN fact, neighbor, 'HAS_ROLE' AS kind, fact.relation AS relation, 'out' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'out' AND 'HAS_ROLE' IN $kinds
    MATCH (entity:DrugClass)<-[fact:HAS_ROLE]-(neighbor:Entity)
    RETURN fact, neighbor, 'HAS_ROLE' AS kind, fact.relation AS relation, 'in' AS direction
}
WITH fact, neighbor, kind, relation, direction
WHERE kind IN $kinds AND ($relation IS NULL OR toLower(relation) = toLower($relation))
WITH neighbor, kind, relation, direction, min(fact.source) AS source
ORDER BY kind, relation, neighbor.id, direction
WITH collect({neighbor: neighbor, kind: kind, relation: relation, direction: direction, source: source}) AS found
RETURN size(found) AS total,
       [one IN found[$offset..$offset + $limit] |
        {id: one.neighbor.id, name: one.neighbor.name, preferred_name: one.neighbor.preferred_name,
         synonyms: coalesce(one.neighbor.synonyms, []) + coalesce(one.neighbor.other_names, []),
         labels: labels(one.neighbor), kind: one.kind, relation: one.relation, direction: one.direction,
         source: one.source}] AS page
