// The functional groups that the structures of one data set have.
CREATE INDEX has_group_dataset IF NOT EXISTS
FOR ()-[link:HAS_GROUP]-() ON (link.dataset)
