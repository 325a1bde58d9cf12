// The stereoisomers that one data set's things are of one another.
CREATE INDEX stereoisomer_of_dataset IF NOT EXISTS
FOR ()-[link:STEREOISOMER_OF]-() ON (link.dataset)
