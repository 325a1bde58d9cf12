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
UNION ALL
MATCH ()-[fact:ENCODES {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'ENCODES' AS kind
UNION ALL
MATCH ()-[fact:STEREOISOMER_OF {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'STEREOISOMER_OF' AS kind
UNION ALL
MATCH ()-[fact:ISOTOPOLOGUE_OF {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'ISOTOPOLOGUE_OF' AS kind
UNION ALL
MATCH ()-[fact:TAUTOMER_OF {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'TAUTOMER_OF' AS kind
UNION ALL
MATCH ()-[fact:SALT_OF {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'SALT_OF' AS kind
UNION ALL
MATCH ()-[fact:HAS_COMPONENT {dataset: $dataset}]->()
RETURN fact.digest AS digest, elementId(fact) AS element, 'HAS_COMPONENT' AS kind
