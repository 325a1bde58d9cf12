// The passages of one data set.
CREATE INDEX passage_dataset IF NOT EXISTS
FOR (n:Passage) ON (n.dataset)
