"""From a question to ranked, attributed hits; nothing here knows of HTTP."""
