// Which of these drug labels does the graph have, and from which data sets?
MATCH (label:DrugLabel)
WHERE label.id IN $ids
RETURN label.id AS id, elementId(label) AS element, labels(label) AS labels, label.datasets AS datasets,
       properties(label) AS properties
