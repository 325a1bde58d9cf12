// By which molecular mechanism two drugs are said to interact; the order of the two says nothing.
MATCH (one:Drug)-[fact:MOLECULAR]->(other:Drug)
RETURN DISTINCT one.id AS one, fact.relation AS relation, other.id AS other
ORDER BY one, other, relation
