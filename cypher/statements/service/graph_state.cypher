// Which graph version is in the database, and whether a load is under way?
MATCH (graph:Graph {id: 'graph'})
RETURN graph.version AS version, coalesce(graph.loading, false) AS loading
