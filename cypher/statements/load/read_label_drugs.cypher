// Which drugs is each label of a data set about, and by which name?
MATCH (label:DrugLabel)-[edge:LABELS {dataset: $dataset}]->(drug:Drug)
RETURN label.id AS head, collect([type(edge), drug.id, null, properties(edge), elementId(edge)]) AS edges
