// Which proteins, chemicals and sequences take part in a pathway? One page, those of its own reactions first.
MATCH (pathway:Pathway {id: $id})<-[edge:PARTICIPATES_IN]-(thing:Entity)
WHERE ($direct IS NULL OR edge.direct = $direct) AND ($label IS NULL OR $label IN labels(thing))
WITH edge, thing ORDER BY edge.direct DESC, thing.id
WITH collect({id: thing.id, name: thing.name, preferred_name: thing.preferred_name,
              synonyms: thing.synonyms, labels: labels(thing), direct: edge.direct,
              evidence: edge.evidence, source: edge.source}) AS found
RETURN size(found) AS total, found[$offset..$offset + $limit] AS page
