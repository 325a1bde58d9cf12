// Every name that anything goes by which a question could ask for.
MATCH (thing:Entity|DrugEntity|DrugLabel|Pathway)
UNWIND [thing.name, thing.gene, thing.preferred_name] + coalesce(thing.synonyms, []) +
       coalesce(thing.other_names, []) + coalesce(thing.generics, []) + coalesce(thing.aliases, []) AS name
WITH DISTINCT name
WHERE name IS NOT NULL
RETURN name
ORDER BY name
