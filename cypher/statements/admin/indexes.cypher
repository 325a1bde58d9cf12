// Every index that is there, and whether it can be used.
SHOW INDEXES YIELD name, type, state, populationPercent
RETURN name, type, state, populationPercent
