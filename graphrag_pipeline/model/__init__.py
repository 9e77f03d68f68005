"""What the data is: nodes, edges, queries, results, Zachman cells, personas. No I/O, no config."""
