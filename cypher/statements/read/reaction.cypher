// One reaction: the pathways it happens in, what takes part in it, what precedes and follows it.
MATCH (reaction:Reaction {id: $id})
RETURN reaction {.id, .name, .synonyms, .species, .version, .disease, .reaction_class, .source} AS reaction,
       COLLECT {
           MATCH (reaction)<-[:HAS_EVENT]-(pathway:Pathway)
           RETURN {id: pathway.id, name: pathway.name, labels: labels(pathway)} ORDER BY pathway.id
       } AS pathways,
       COLLECT {
           MATCH (reaction)-[edge:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->(entity:PhysicalEntity)
           RETURN {id: entity.id, name: entity.name, labels: labels(entity), role: type(edge),
                   compartment: entity.compartment, stoichiometry: edge.stoichiometry,
                   regulation: edge.regulation} ORDER BY type(edge), entity.id, edge.regulation
       } AS participants,
       COLLECT {
           MATCH (reaction)<-[:PRECEDES]-(before:Reaction)
           RETURN {id: before.id, name: before.name, labels: labels(before)} ORDER BY before.id
       } AS before,
       COLLECT {
           MATCH (reaction)-[:PRECEDES]->(after:Reaction)
           RETURN {id: after.id, name: after.name, labels: labels(after)} ORDER BY after.id
       } AS after
