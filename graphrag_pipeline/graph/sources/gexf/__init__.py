"""GEXF files."""
