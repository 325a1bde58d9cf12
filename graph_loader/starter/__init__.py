"""The bundled starter graph: facts only, in compressed tables, and the script that builds them."""
