"""Indexes on disk: written whole or not at all, opened by mapping."""
