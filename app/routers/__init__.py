"""The routes, one noun a module."""
