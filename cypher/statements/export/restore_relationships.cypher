// Imported relationships get back the empty arrays that a CSV file cannot hold: some, until none is left.
MATCH ()-[r]->()
WHERE r.biomolkg_empty_arrays = $names
WITH r LIMIT $limit
SET r += $values, r.biomolkg_empty_arrays = null
