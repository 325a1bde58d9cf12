// The salts of drugs that one data set brings.
CREATE INDEX salt_of_dataset IF NOT EXISTS
FOR ()-[link:SALT_OF]-() ON (link.dataset)
