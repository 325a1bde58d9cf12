// Imported nodes get back the empty arrays that a CSV file cannot hold: some of them, until none is left.
MATCH (n)
WHERE n.biomolkg_empty_arrays = $names
WITH n LIMIT $limit
SET n += $values, n.biomolkg_empty_arrays = null
