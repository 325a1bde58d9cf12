"""Names in a question: how they are written, what they mean, and how they are misspelt."""
