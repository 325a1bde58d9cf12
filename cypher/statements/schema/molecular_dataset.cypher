// The molecular interactions of one data set.
CREATE INDEX molecular_dataset IF NOT EXISTS
FOR ()-[fact:MOLECULAR]-() ON (fact.dataset)
