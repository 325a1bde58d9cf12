// Which side effect is reported of which two drugs; the order of the two says nothing.
MATCH (one:Drug)-[fact:DDI]->(other:Drug)
RETURN DISTINCT one.id AS one, fact.relation AS relation, other.id AS other
ORDER BY one, other, relation
