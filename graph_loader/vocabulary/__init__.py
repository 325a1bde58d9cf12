"""Names and classes of the vocabularies: how their tables are made, and how they come into the graph."""
