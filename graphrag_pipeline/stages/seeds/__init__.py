"""Seed retrievers: where a query starts."""
