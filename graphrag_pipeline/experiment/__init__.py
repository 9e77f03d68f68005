"""Experiments: what runs are worth, and which differences between them are luck."""
