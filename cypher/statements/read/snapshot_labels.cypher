// Every drug label that has passages: what it is called, its date, and the drugs that it is about.
MATCH (label:DrugLabel)
WHERE EXISTS { (label)-[:HAS_SECTION]->() }
OPTIONAL MATCH (label)-[:LABELS]->(drug:Drug)
WITH label, collect(DISTINCT drug.id) AS drugs
RETURN label.id AS id, label.name AS name, label.products AS products, label.generics AS generics,
       label.substances AS substances, label.effective AS effective, drugs
