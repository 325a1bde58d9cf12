// The chunks of one whole text.
CREATE INDEX passage_document IF NOT EXISTS
FOR (n:Passage) ON (n.document)
