// The drug-drug interactions of one data set.
CREATE INDEX ddi_dataset IF NOT EXISTS
FOR ()-[fact:DDI]-() ON (fact.dataset)
