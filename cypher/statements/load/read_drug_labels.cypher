// What the graph holds of a data set's drug labels, which other data sets may have too.
MATCH (label:DrugLabel)
WHERE label.id >= '' AND $dataset IN label.datasets
RETURN label.id AS id, elementId(label) AS element, labels(label) AS labels, label.datasets AS datasets,
       properties(label) AS properties
