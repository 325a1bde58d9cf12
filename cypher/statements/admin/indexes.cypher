// Every index that is there, what it is of, how it is set, and whether it can be used.
SHOW INDEXES YIELD name, type, state, populationPercent, labelsOrTypes, properties, options
RETURN name, type, state, populationPercent, labelsOrTypes AS labels, properties, options.indexConfig AS config
