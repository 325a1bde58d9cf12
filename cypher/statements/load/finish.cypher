// A load is complete: it takes the place of the earlier ones of its data set, and the graph has a new version.
MATCH (load:Load {id: $id})
MATCH (graph:Graph {id: 'graph'})
SET load += $counts, load.state = 'complete', load.finished = datetime(),
    graph.version = $version, graph.loading = $loading
WITH load
CALL () {
  UNWIND $superseded AS id
  MATCH (other:Load {id: id})
  SET other.state = 'superseded'
}
RETURN load.id AS id
