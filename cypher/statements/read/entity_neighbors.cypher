// What is one entity joined to, by which facts? One page, by kind, relation and neighbor.
MATCH (entity:Entity {id: $id})
CALL (entity) {
    WITH entity WHERE $direction <> 'in'
    MATCH (entity)-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]->(neighbor:Entity)
    RETURN fact, neighbor, 'out' AS direction
  UNION ALL
    WITH entity WHERE $direction <> 'out'
    MATCH (entity)<-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]-(neighbor:Entity)
    RETURN fact, neighbor, 'in' AS direction
}
WITH fact, neighbor, direction
WHERE type(fact) IN $kinds AND ($relation IS NULL OR toLower(fact.relation) = toLower($relation))
WITH fact, neighbor, direction
ORDER BY type(fact), fact.relation, neighbor.id, direction, fact.source
WITH collect({id: neighbor.id, name: neighbor.name, labels: labels(neighbor), kind: type(fact),
              relation: fact.relation, direction: direction, source: fact.source}) AS found
RETURN size(found) AS total, found[$offset..$offset + $limit] AS page
