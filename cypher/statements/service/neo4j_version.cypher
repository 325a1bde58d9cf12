// Which version of Neo4j is this?
CALL dbms.components() YIELD name, versions
RETURN versions[0] AS version
