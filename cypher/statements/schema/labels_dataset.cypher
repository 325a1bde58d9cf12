// Which drugs the labels of one data set are about.
CREATE INDEX labels_dataset IF NOT EXISTS
FOR ()-[edge:LABELS]-() ON (edge.dataset)
