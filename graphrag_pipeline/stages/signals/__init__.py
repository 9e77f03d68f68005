"""Signals: one number per candidate."""
