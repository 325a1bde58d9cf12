// Makes proteins what a data set says they are; what other data sets say of them stays.
UNWIND $rows AS row
MERGE (entity:Entity {id: row.id})
REMOVE entity:Drug:Chemical:Gene:Transcript:Thing
SET entity:Protein, entity += row.properties,
    entity.datasets = CASE
      WHEN $dataset IN coalesce(entity.datasets, []) THEN entity.datasets
      ELSE coalesce(entity.datasets, []) + $dataset
    END
