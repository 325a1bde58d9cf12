// What facts of a data set does the graph hold, of each kind?
MATCH ()-[fact:DDI {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'DDI' AS kind
UNION ALL
MATCH ()-[fact:DPI {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'DPI' AS kind
UNION ALL
MATCH ()-[fact:MOLECULAR {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'MOLECULAR' AS kind
UNION ALL
MATCH ()-[fact:ACTION {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'ACTION' AS kind
UNION ALL
MATCH ()-[fact:FACT {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'FACT' AS kind
