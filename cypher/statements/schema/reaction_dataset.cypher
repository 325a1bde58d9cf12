// The reactions of one data set.
CREATE INDEX reaction_dataset IF NOT EXISTS
FOR (n:Reaction) ON (n.dataset)
