// A data set is gone: the ledger forgets its loads, and the graph has a new version.
MATCH (graph:Graph {id: 'graph'})
SET graph.version = $version, graph.loading = $loading
WITH graph
UNWIND $loads AS id
MATCH (load:Load {id: id})
DETACH DELETE load
WITH count(*) AS forgotten
// What the others say may have moved: their next loads compare it, though the files are the same.
MATCH (other:Load)
WHERE other.id >= ''
SET other.others = null
