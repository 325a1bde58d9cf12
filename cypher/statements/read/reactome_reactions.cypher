// What takes part in each reaction, and how: many reactions in one row.
MATCH (reaction:Reaction)-[edge:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->(entity:PhysicalEntity)
WITH reaction.id AS id, collect([type(edge), edge.regulation, entity.id, edge.source]) AS edges
RETURN right(id, 2) AS part, collect([id, edges]) AS rows
