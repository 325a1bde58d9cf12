// Deletes molecular interactions that a data set no longer states.
UNWIND $rows AS row
MATCH ()-[fact:MOLECULAR]->()
WHERE elementId(fact) = row.element
DELETE fact
