// Deletes drug-drug interactions that a data set no longer states.
UNWIND $rows AS row
MATCH ()-[fact:DDI]->()
WHERE elementId(fact) = row.element
DELETE fact
