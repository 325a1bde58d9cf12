"""Which records are one thing: evidence in order of strength, and what speaks against it."""
