// Which of these classes does the graph have as things of other data sets?
MATCH (entity:Entity)
WHERE entity.id IN $ids
RETURN right(entity.id, 2) AS part,
       collect({id: entity.id, element: elementId(entity), labels: labels(entity), datasets: entity.datasets,
                properties: properties(entity)}) AS rows
