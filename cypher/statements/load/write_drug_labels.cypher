// Makes drug labels what a data set says they are; those of several data sets keep the first one's words.
UNWIND $rows AS row
MERGE (label:DrugLabel {id: row.id})
SET label += row.properties
