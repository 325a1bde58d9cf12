// Every fact edge, those of one head and kind in one row.
MATCH (head:Entity)-[fact:DDI|DPI|MOLECULAR|ACTION|FACT]->(tail:Entity)
RETURN head.id AS head, type(fact) AS kind, collect([fact.relation, tail.id, fact.source, fact.agent_type]) AS facts
