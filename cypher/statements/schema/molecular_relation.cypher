// MOLECULAR facts by the name of their relation.
CREATE INDEX molecular_relation IF NOT EXISTS
FOR ()-[f:MOLECULAR]-() ON (f.relation)
