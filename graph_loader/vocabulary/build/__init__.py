"""The command that makes the bundled tables of biomolkg.lexicon from the published vocabularies."""
