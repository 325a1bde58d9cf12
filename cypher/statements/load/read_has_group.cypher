// Which functional groups do the structures of a data set have, by the graph?
MATCH (head)-[link:HAS_GROUP {dataset: $dataset}]->(group:FunctionalGroup)
RETURN head.id AS head, collect([group.name, properties(link), elementId(link)]) AS groups
