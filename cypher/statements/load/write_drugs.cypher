// Makes drugs what a data set says they are; what other data sets say of them stays.
UNWIND $rows AS row
MERGE (entity:Entity {id: row.id})
REMOVE entity:Protein:Gene:Transcript:Thing
// Reactome's loader calls a drug that it refers to a chemical as well.
REMOVE entity:$(CASE WHEN 'reactome' IN coalesce(entity.datasets, []) THEN [] ELSE ['Chemical'] END)
SET entity:Drug, entity += row.properties,
    entity.datasets = CASE
      WHEN $dataset IN coalesce(entity.datasets, []) THEN entity.datasets
      ELSE coalesce(entity.datasets, []) + $dataset
    END
