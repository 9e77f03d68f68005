"""Context assemblers: the text a result carries, within a token budget."""
