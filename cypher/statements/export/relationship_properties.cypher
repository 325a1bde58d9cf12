// Which properties do relationships of each type have, and of which types?
CALL db.schema.relTypeProperties()
YIELD relType, propertyName, propertyTypes
RETURN relType AS type, propertyName AS name, propertyTypes AS types
