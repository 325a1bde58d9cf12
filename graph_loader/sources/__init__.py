"""One module a source: parse, validate, yield typed records, say what was skipped and why."""
