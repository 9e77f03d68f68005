"""The output of Microsoft GraphRAG."""
