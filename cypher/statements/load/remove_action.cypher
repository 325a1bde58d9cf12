// Deletes actions of drugs on proteins that a data set no longer states.
UNWIND $rows AS row
MATCH ()-[fact:ACTION]->()
WHERE elementId(fact) = row.element
DELETE fact
