// All pathways by id: one page of them.
CALL () {
    MATCH (event:Pathway)
    RETURN count(event) AS total
}
CALL () {
    MATCH (event:Pathway)
    WHERE event.id >= ''
    WITH event ORDER BY event.id SKIP $offset LIMIT $limit
    RETURN collect({id: event.id, name: event.name, labels: labels(event), score: 0.0, exact: false}) AS page
}
RETURN total, page
