"""GML files."""
