"""Tables of nodes and edges: CSV and Parquet."""
