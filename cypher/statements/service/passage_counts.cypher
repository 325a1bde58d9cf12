// How many passages are there, written by whom?
MATCH (passage:Passage)
RETURN CASE WHEN passage.composed THEN 'composed' ELSE 'quoted' END AS name, count(*) AS count
ORDER BY name
