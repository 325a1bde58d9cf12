// What the mixtures and complexes of one data set are made of.
CREATE INDEX has_component_dataset IF NOT EXISTS
FOR ()-[link:HAS_COMPONENT]-() ON (link.dataset)
