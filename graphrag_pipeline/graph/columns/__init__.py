"""How an index holds a graph: one column per field, in memory or mapped from disk."""
