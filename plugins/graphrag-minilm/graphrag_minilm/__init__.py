"""The embedder ``minilm``: all-MiniLM-L6-v2, for dense seeds and signals of graphrag_pipeline."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline import hookimpl


@hookimpl
def graphrag_register_embedders() -> Sequence[type]:
    """Return the embedder ``minilm``."""
    from graphrag_minilm.embedder import MiniLm

    return [MiniLm]
