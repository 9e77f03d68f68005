"""Graph and persona sources: one file a format."""
