// How many entities are there of each label?
MATCH (entity:Entity)
UNWIND [label IN labels(entity) WHERE label <> 'Entity'] AS name
RETURN name, count(*) AS count
ORDER BY name
