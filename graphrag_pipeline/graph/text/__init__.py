"""What is written in a graph, analysed: terms, postings, surfaces and mentions."""
