// Which label does each passage of a data set's drug labels belong to?
MATCH (passage:Passage {dataset: $dataset})<-[edge:HAS_SECTION]-(label:DrugLabel)
RETURN label.id AS head, collect([type(edge), passage.id, null, properties(edge), elementId(edge)]) AS edges
