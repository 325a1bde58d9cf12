// How strongly does each word of a question (its place) speak of each entity: by texts, by structure?
CALL () {
    UNWIND $terms AS term
    CALL (term) {
        CALL db.index.fulltext.queryNodes('passage_text', term.query, {limit: 20 * $depth})
        YIELD node AS passage, score
        // Passages of drug labels describe no entity: they take no place of those that do.
        WHERE EXISTS { (passage)<-[:DESCRIBED_BY]-() }
        RETURN passage, score LIMIT $depth
    }
    MATCH (passage)<-[:DESCRIBED_BY]-(entity:Entity)
    WITH term, entity, max(score) AS score
    UNWIND term.places AS place
    RETURN entity, place, sum(term.weight * score) AS score
  UNION ALL
    UNWIND $terms AS term
    WITH term WHERE size(term.places) = 1
    CALL (term) {
        CALL db.index.fulltext.queryNodes('named_things', term.query, {limit: 20 * $depth})
        YIELD node AS entity, score
        // What no triple ends at, as most of Reactome's proteins, takes no place of what one does.
        WHERE EXISTS { (entity)-[:DDI|DPI|MOLECULAR|ACTION|FACT]-() }
        RETURN entity, score LIMIT $depth
    }
    UNWIND term.places AS place
    RETURN entity, place, $name_weight * score AS score
  UNION ALL
    UNWIND $groups AS phrase
    CALL db.index.fulltext.queryNodes('drug_groups', phrase.query, {limit: $common})
    YIELD node AS entity
    WITH phrase, collect(entity) AS carriers, COUNT { (:Drug) } AS drugs
    WHERE size(carriers) < $common
    WITH phrase, carriers, log(1 + (drugs - size(carriers) + 0.5) / (size(carriers) + 0.5)) AS rarity
    UNWIND carriers AS entity
    UNWIND phrase.places AS place
    RETURN entity, place, max($group_weight * phrase.weight * rarity) AS score
}
WITH entity, place, max(score) AS score
RETURN entity.id AS id, collect(place) AS places, collect(score) AS scores
