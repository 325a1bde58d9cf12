// All entities, or those of one label, by id: one page of them.
CALL () {
    MATCH (entity:Entity)
    WHERE $label IS NULL OR $label IN labels(entity)
    RETURN count(entity) AS total
}
CALL () {
    MATCH (entity:Entity)
    WHERE entity.id >= '' AND ($label IS NULL OR $label IN labels(entity))
    WITH entity ORDER BY entity.id SKIP $offset LIMIT $limit
    RETURN collect({id: entity.id, name: entity.name, preferred_name: entity.preferred_name,
                    synonyms: coalesce(entity.synonyms, []) + coalesce(entity.other_names, []),
                    labels: labels(entity), score: 0.0, exact: false}) AS page
}
RETURN total, page
