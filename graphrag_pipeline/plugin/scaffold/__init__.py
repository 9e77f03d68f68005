"""Writing a new plugin from templates: what ``graphrag-pipeline plugins new`` does."""
