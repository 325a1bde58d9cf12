// The molecules, complexes and sets of one data set.
CREATE INDEX physical_entity_dataset IF NOT EXISTS
FOR (n:PhysicalEntity) ON (n.dataset)
