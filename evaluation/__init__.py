"""Benchmarks of retrieval over HTTP; needs nothing but the URL of a service."""
