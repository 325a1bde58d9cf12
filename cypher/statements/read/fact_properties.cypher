// What do the edges of these facts say, and of a drug-protein interaction the rows of STITCH behind it?
UNWIND range(0, size($facts) - 1) AS at
WITH at, $facts[at] AS asked
MATCH (head:Entity {id: asked.head})
MATCH (tail:Entity {id: asked.tail})
MATCH (head)-[fact:DDI|DPI|MOLECULAR|ACTION|FACT|HAS_ROLE]->(tail)
WHERE (type(fact) = asked.kind AND fact.relation = asked.relation)
   OR (asked.kind = 'DPI' AND type(fact) = 'ACTION')
RETURN at, type(fact) AS kind, properties(fact) AS properties
ORDER BY at, kind, fact.source
