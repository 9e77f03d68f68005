"""GraphML files."""
