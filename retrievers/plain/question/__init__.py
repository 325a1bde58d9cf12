"""What a question asks: its words by role, its frame, its relation and direction."""
