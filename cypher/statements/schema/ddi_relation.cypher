// DDI facts by the name of their relation.
CREATE INDEX ddi_relation IF NOT EXISTS
FOR ()-[f:DDI]-() ON (f.relation)
