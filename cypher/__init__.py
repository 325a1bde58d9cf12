"""The only room that knows a Cypher statement, a driver or a server process."""
