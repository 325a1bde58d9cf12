// What genes and transcripts of one data set encode.
CREATE INDEX encodes_dataset IF NOT EXISTS
FOR ()-[link:ENCODES]-() ON (link.dataset)
