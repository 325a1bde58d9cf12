// Drugs by the exact names of the functional groups and rings of their structure.
CREATE FULLTEXT INDEX drug_groups IF NOT EXISTS
FOR (n:Drug) ON EACH [n.groups]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}
