// The drug-protein interactions of one data set.
CREATE INDEX dpi_dataset IF NOT EXISTS
FOR ()-[fact:DPI]-() ON (fact.dataset)
