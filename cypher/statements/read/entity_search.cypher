// Which entities have these words in a name, synonym, alias or gene symbol? Exactly so written ones first.
CALL db.index.fulltext.queryNodes('entity_names', $query, {limit: $depth})
YIELD node AS entity, score
WHERE $label IS NULL OR $label IN labels(entity)
WITH entity, score,
     CASE
       WHEN toLower(entity.name) IN $written OR toLower(coalesce(entity.preferred_name, '')) IN $written THEN 2
       WHEN toLower(coalesce(entity.gene, '')) IN $written
         OR any(name IN coalesce(entity.synonyms, []) + coalesce(entity.other_names, [])
                        + coalesce(entity.aliases, []) + coalesce(entity.vocabulary_synonyms, [])
                WHERE toLower(name) IN $written) THEN 1
       ELSE 0
     END AS exact
ORDER BY exact DESC, score DESC, entity.id
WITH collect({entity: entity, score: score, exact: exact > 0}) AS found
RETURN size(found) AS total,
       [one IN found[$offset..$offset + $limit] |
        {id: one.entity.id, name: one.entity.name, preferred_name: one.entity.preferred_name,
         synonyms: coalesce(one.entity.synonyms, []) + coalesce(one.entity.other_names, []),
         labels: labels(one.entity), score: one.score, exact: one.exact}] AS page
