// Which of the drugs that labels name does the graph have, and from which data sets?
MATCH (entity:Entity)
WHERE entity.id IN $ids
RETURN right(entity.id, 2) AS part,
       collect({id: entity.id, element: elementId(entity), labels: labels(entity), datasets: entity.datasets,
                properties: properties(entity)}) AS rows
