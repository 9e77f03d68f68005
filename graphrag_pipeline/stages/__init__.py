"""The stages: one algorithm a file, each a pure function of query, candidates, index and parameters."""
