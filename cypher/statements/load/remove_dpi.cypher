// Deletes drug-protein interactions that a data set no longer states.
UNWIND $rows AS row
MATCH ()-[fact:DPI]->()
WHERE elementId(fact) = row.element
DELETE fact
