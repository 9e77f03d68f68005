"""Rerankers: a new order for the best candidates, looked at together."""
