"""Graphs that were exported from Neo4j."""
