// The pathways of one data set.
CREATE INDEX pathway_dataset IF NOT EXISTS
FOR (n:Pathway) ON (n.dataset)
