// Entities by the exact identifiers that other databases know them by.
CREATE FULLTEXT INDEX entity_xrefs IF NOT EXISTS
FOR (n:Entity) ON EACH [n.xrefs, n.more_xrefs]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}
