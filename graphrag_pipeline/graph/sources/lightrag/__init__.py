"""The working folders of LightRAG and nano-graphrag."""
