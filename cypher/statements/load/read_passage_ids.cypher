// Which passages does a data set have?
MATCH (passage:Passage {dataset: $dataset})
RETURN passage.id AS id
