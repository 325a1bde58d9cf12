// How many fact edges carry each relation, over all data sets?
MATCH ()-[fact:DDI|DPI|MOLECULAR|ACTION]->()
RETURN type(fact) AS kind, fact.relation AS name, count(*) AS count
