// How many passages are there by what their sources begin with?
MATCH (passage:Passage)
RETURN split(passage.source, ':')[0] AS origin, count(*) AS count
ORDER BY origin
