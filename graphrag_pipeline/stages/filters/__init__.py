"""Filters: hard gates, with a reason for every dropped node."""
