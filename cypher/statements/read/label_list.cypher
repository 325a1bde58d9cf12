// A page of the drug labels whose products, substances or drugs have all of these words; all without words.
MATCH (label:DrugLabel)
WHERE label.id >= ''
CALL (label) {
    OPTIONAL MATCH (label)-[:LABELS]->(drug:Drug)
    RETURN collect(DISTINCT drug) AS drugs
}
WITH label, drugs, reduce(
       all = coalesce(label.products, []) + coalesce(label.generics, []) + coalesce(label.substances, [])
             + coalesce(label.name, ''), drug IN drugs |
       all + coalesce(drug.name, '') + coalesce(drug.preferred_name, '') + coalesce(drug.synonyms, [])
           + coalesce(drug.other_names, [])) AS names
WITH label, drugs, [name IN names | toLower(name)] AS names
WHERE all(word IN $words WHERE any(name IN names WHERE name CONTAINS word))
WITH label {.id, .name, .title, .version, .effective, .document_type, .maker, .products, .generics, .substances,
            exact: $written <> '' AND $written IN names,
            drugs: [drug IN drugs | drug {.id, .name, .preferred_name, .synonyms, labels: labels(drug)}]} AS row
ORDER BY row.exact DESC, toLower(row.name), row.id
WITH collect(row) AS found
RETURN size(found) AS total, found[$offset..$offset + $limit] AS page
