// How many facts carry each relation, over all data sets?
MATCH ()-[fact:DDI]->()
RETURN 'DDI' AS kind, fact.relation AS name, count(*) AS count
UNION ALL
MATCH ()-[fact:DPI]->()
RETURN 'DPI' AS kind, fact.relation AS name, count(*) AS count
UNION ALL
MATCH ()-[fact:MOLECULAR]->()
RETURN 'MOLECULAR' AS kind, fact.relation AS name, count(*) AS count
UNION ALL
MATCH ()-[fact:ACTION]->()
RETURN 'ACTION' AS kind, fact.relation AS name, count(*) AS count
UNION ALL
MATCH ()-[fact:FACT]->()
RETURN 'FACT' AS kind, fact.relation AS name, count(*) AS count
