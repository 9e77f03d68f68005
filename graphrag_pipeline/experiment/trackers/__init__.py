"""Telling trackers of runs; what they are told is in :mod:`graphrag_pipeline.tracking.contract`."""
