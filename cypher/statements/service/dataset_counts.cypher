// How many things does each data set have?
MATCH (entity:Entity)
UNWIND coalesce(entity.datasets, []) AS name
RETURN name, count(*) AS count
ORDER BY name
