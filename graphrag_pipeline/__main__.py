"""``python -m graphrag_pipeline``: the same as the command ``graphrag-pipeline``."""

from graphrag_pipeline.cli import main

if __name__ == "__main__":
    main()
