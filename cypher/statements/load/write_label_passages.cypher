// Makes passages of drug labels what a data set says they are.
UNWIND $rows AS row
MERGE (passage:Passage {id: row.id})
SET passage += row.properties
