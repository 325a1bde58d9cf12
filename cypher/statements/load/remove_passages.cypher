// Deletes passages that a data set no longer has.
UNWIND $rows AS row
MATCH (passage:Passage {id: row.id})
DETACH DELETE passage
