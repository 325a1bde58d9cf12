"""From the files of a source to nodes and edges in Neo4j."""
