// The tautomers that one data set's things are of one another.
CREATE INDEX tautomer_of_dataset IF NOT EXISTS
FOR ()-[link:TAUTOMER_OF]-() ON (link.dataset)
