// Everything known of one entity, given forms of its id or, if no id is so, of another database's identifier.
CALL () {
    UNWIND range(0, size($ids) - 1) AS rank
    MATCH (entity:Entity {id: $ids[rank]})
    RETURN entity, rank
  UNION ALL
    CALL db.index.fulltext.queryNodes('entity_xrefs', $xref, {limit: 8})
    YIELD node AS entity
    RETURN entity, size($ids) AS rank
}
WITH entity, rank ORDER BY rank, entity.id LIMIT 1
RETURN entity.id AS id, entity.name AS name, entity.preferred_name AS preferred_name, labels(entity) AS labels,
       entity.aliases AS aliases, coalesce(entity.synonyms, []) + coalesce(entity.other_names, []) AS synonyms,
       entity.gene AS gene, entity.smiles AS smiles, entity.inchikey AS inchikey, entity.formula AS formula,
       entity.weight AS weight, entity.canonical_smiles AS canonical_smiles, entity.charge AS charge,
       entity.logp AS logp, entity.tpsa AS tpsa, entity.scaffold AS scaffold,
       entity.composition AS composition, entity.composition_note AS composition_note,
       entity.parent_smiles AS parent_smiles, entity.groups AS groups, entity.group_counts AS group_counts,
       coalesce(entity.xrefs, []) + coalesce(entity.more_xrefs, []) AS xrefs, COUNT { (entity)-[:DESCRIBED_BY]->(:Passage) } AS passages,
       COUNT { (entity)-[:DDI]-() } AS ddi, COUNT { (entity)-[:DPI]-() } AS dpi,
       COUNT { (entity)-[:MOLECULAR]-() } AS molecular, COUNT { (entity)-[:ACTION]-() } AS action,
       COUNT { (entity)-[:FACT]-() } AS fact,
       COUNT { (entity)-[:PARTICIPATES_IN {direct: true}]->() } AS reactome,
       COUNT { (entity)-[:HAS_ROLE]-() } AS has_role
