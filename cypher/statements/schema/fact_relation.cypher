// FACT facts by the name of their relation.
CREATE INDEX fact_relation IF NOT EXISTS
FOR ()-[f:FACT]-() ON (f.relation)
