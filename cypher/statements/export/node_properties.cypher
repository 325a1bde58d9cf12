// Which properties do nodes of each combination of labels have, and of which types?
CALL db.schema.nodeTypeProperties()
YIELD nodeLabels, propertyName, propertyTypes
RETURN nodeLabels AS labels, propertyName AS name, propertyTypes AS types
