// A data set is being removed: its loads are no longer complete, and readers know that the graph is changing.
MERGE (graph:Graph {id: 'graph'})
SET graph.loading = true
WITH graph
UNWIND $loads AS id
MATCH (load:Load {id: id})
SET load.state = 'running', load.finished = null
