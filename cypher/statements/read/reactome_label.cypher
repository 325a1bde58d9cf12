// What is it that has a stable id of Reactome?
OPTIONAL MATCH (pathway:Pathway {id: $id})
OPTIONAL MATCH (reaction:Reaction {id: $id})
OPTIONAL MATCH (entity:PhysicalEntity {id: $id})
RETURN CASE
         WHEN pathway IS NOT NULL THEN 'Pathway'
         WHEN reaction IS NOT NULL THEN 'Reaction'
         WHEN entity IS NOT NULL THEN 'PhysicalEntity'
       END AS label
