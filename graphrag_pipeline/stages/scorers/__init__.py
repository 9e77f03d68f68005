"""Scorers: from signals and weights to one score per candidate."""
