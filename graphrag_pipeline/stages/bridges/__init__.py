"""Bridges: external graph-of-thought sources."""
