// Which pathways or reactions have these words in a name or synonym? Exactly so written ones first.
CALL db.index.fulltext.queryNodes('pathway_names', $query, {limit: $depth})
YIELD node AS event, score
WHERE $label IN labels(event)
WITH event, score,
     toLower(event.name) IN $written
       OR any(name IN coalesce(event.synonyms, []) WHERE toLower(name) IN $written) AS exact
ORDER BY exact DESC, score DESC, event.id
WITH collect({id: event.id, name: event.name, labels: labels(event), score: score, exact: exact}) AS found
RETURN size(found) AS total, found[$offset..$offset + $limit] AS page
