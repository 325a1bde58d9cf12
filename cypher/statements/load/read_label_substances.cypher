// What the graph holds of the drugs that labels alone name, which other data sets may have too.
MATCH (entity:Entity)
WHERE entity.id >= '' AND $dataset IN entity.datasets
RETURN right(entity.id, 2) AS part,
       collect({id: entity.id, element: elementId(entity), labels: labels(entity), datasets: entity.datasets,
                properties: properties(entity)}) AS rows
