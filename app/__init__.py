"""The service: validation, limits, errors and formatting around the retrievers."""
