// ACTION facts by the name of their relation.
CREATE INDEX action_relation IF NOT EXISTS
FOR ()-[f:ACTION]-() ON (f.relation)
