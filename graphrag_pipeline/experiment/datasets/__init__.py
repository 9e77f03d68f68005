"""Question sets: queries, judgements and gold paths, in the layouts that people have."""
