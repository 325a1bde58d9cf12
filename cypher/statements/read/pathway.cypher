// One pathway: what is above and below it, its own reactions, and how many of what take part in it.
MATCH (pathway:Pathway {id: $id})
RETURN pathway {.id, .name, .synonyms, .species, .version, .disease, .source} AS pathway,
       COLLECT {
           MATCH (pathway)<-[:HAS_EVENT]-(upper:Pathway)
           RETURN {id: upper.id, name: upper.name, labels: labels(upper)} ORDER BY upper.id
       } AS above,
       COLLECT {
           MATCH (pathway)-[:HAS_EVENT]->(lower:Pathway)
           RETURN {id: lower.id, name: lower.name, labels: labels(lower)} ORDER BY lower.id
       } AS below,
       COLLECT {
           MATCH (pathway)-[:HAS_EVENT]->(reaction:Reaction)
           RETURN {id: reaction.id, name: reaction.name, labels: labels(reaction)} ORDER BY reaction.id
       } AS reactions,
       COUNT { (pathway)<-[:PARTICIPATES_IN]-() } AS participants,
       COUNT { (pathway)<-[:PARTICIPATES_IN {direct: true}]-() } AS direct
