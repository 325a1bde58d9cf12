// How many facts are there of each kind, and of which data set?
MATCH ()-[fact:DDI|DPI|MOLECULAR|ACTION|FACT|HAS_ROLE]->()
RETURN type(fact) AS kind, fact.dataset AS dataset, count(*) AS count
ORDER BY kind, dataset
