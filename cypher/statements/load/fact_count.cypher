// How many fact edges are there, by the database's own count?
RETURN COUNT { ()-[:DDI]->() } + COUNT { ()-[:DPI]->() }
     + COUNT { ()-[:MOLECULAR]->() } + COUNT { ()-[:ACTION]->() } AS count
