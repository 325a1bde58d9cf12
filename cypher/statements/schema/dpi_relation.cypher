// DPI facts by the name of their relation.
CREATE INDEX dpi_relation IF NOT EXISTS
FOR ()-[f:DPI]-() ON (f.relation)
