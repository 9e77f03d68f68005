"""Embedders: from texts to vectors."""
