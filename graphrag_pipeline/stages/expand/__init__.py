"""Expanders: how a query spreads from its seeds."""
