// What goes in and comes out, catalyzes and regulates in the reactions of a data set?
MATCH (head:Reaction {dataset: $dataset})-[edge:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->(tail:PhysicalEntity)
WITH head.id AS head, collect([type(edge), tail.id, edge.regulation, properties(edge), elementId(edge)]) AS edges
RETURN right(head, 2) AS part, collect({head: head, edges: edges}) AS rows
