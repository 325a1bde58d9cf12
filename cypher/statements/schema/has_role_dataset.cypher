// The drugs in classes, by the data set that says so.
CREATE INDEX has_role_dataset IF NOT EXISTS
FOR ()-[edge:HAS_ROLE]-() ON (edge.dataset)
