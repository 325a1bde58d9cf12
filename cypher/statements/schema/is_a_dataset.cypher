// The classes of drugs below others, by the data set that says so.
CREATE INDEX is_a_dataset IF NOT EXISTS
FOR ()-[edge:IS_A]-() ON (edge.dataset)
