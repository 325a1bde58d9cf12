// How many things are there that are no ends of triples: pathways, reactions, molecules, drug labels, groups?
MATCH (n:Pathway)
RETURN 'Pathway' AS name, count(n) AS count
UNION ALL
MATCH (n:Reaction)
RETURN 'Reaction' AS name, count(n) AS count
UNION ALL
MATCH (n:PhysicalEntity)
RETURN 'PhysicalEntity' AS name, count(n) AS count
UNION ALL
MATCH (n:DrugLabel)
RETURN 'DrugLabel' AS name, count(n) AS count
UNION ALL
MATCH (n:FunctionalGroup)
RETURN 'FunctionalGroup' AS name, count(n) AS count
