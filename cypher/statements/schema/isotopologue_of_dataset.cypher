// The isotopologues that one data set's things are of one another.
CREATE INDEX isotopologue_of_dataset IF NOT EXISTS
FOR ()-[link:ISOTOPOLOGUE_OF]-() ON (link.dataset)
