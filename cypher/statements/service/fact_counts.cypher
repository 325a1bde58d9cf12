// How many facts are there of each kind and data set, and by which agent of Biolink's, where the edges say so?
MATCH ()-[fact:DDI|DPI|MOLECULAR|ACTION|FACT|HAS_ROLE]->()
RETURN type(fact) AS kind, fact.dataset AS dataset,
       CASE WHEN type(fact) = 'FACT' THEN fact.agent_type END AS agent, count(*) AS count
ORDER BY kind, dataset, agent
