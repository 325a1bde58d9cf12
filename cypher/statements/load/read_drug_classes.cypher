// What the graph holds of a data set's classes of drugs, which other data sets may have as things too.
MATCH (class:DrugClass)
WHERE class.id >= '' AND $dataset IN class.datasets
RETURN right(class.id, 2) AS part,
       collect({id: class.id, element: elementId(class), labels: labels(class), datasets: class.datasets,
                properties: properties(class)}) AS rows
