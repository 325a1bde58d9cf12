// A load begins: it is in the ledger, and readers know that the graph is changing.
MERGE (graph:Graph {id: 'graph'})
SET graph.loading = true
MERGE (load:Load {id: $id})
SET load += $properties, load.state = 'running', load.started = datetime(), load.finished = null
