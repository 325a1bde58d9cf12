// The facts of one data set that are of no kind of our own.
CREATE INDEX fact_dataset IF NOT EXISTS
FOR ()-[fact:FACT]-() ON (fact.dataset)
