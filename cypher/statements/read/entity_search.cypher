// Which entities have these words in a name, synonym or gene symbol? Exactly so written ones first.
CALL db.index.fulltext.queryNodes('entity_names', $query, {limit: $depth})
YIELD node AS entity, score
WHERE $label IS NULL OR $label IN labels(entity)
WITH entity, score,
     CASE
       WHEN toLower(entity.name) = $written THEN 2
       WHEN toLower(coalesce(entity.gene, '')) = $written
         OR any(synonym IN coalesce(entity.synonyms, []) + coalesce(entity.other_names, []) WHERE toLower(synonym) = $written) THEN 1
       ELSE 0
     END AS exact
ORDER BY exact DESC, score DESC, entity.id
WITH collect({id: entity.id, name: entity.name, preferred_name: entity.preferred_name,
                          synonyms: coalesce(entity.synonyms, []) + coalesce(entity.other_names, []), labels: labels(entity), score: score, exact: exact > 0}) AS found
RETURN size(found) AS total, found[$offset..$offset + $limit] AS page
