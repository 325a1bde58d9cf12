// Which functional groups are there, and does a structure of another data set have each?
MATCH (group:FunctionalGroup)
WHERE group.name >= ''
RETURN group.name AS name, properties(group) AS properties,
       EXISTS { (group)<-[link:HAS_GROUP]-() WHERE link.dataset <> $dataset } AS elsewhere
