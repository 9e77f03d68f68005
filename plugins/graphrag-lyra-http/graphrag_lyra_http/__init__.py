"""The bridge ``lyra_http``: LYRA over HTTP, for graphrag_pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrag_pipeline import hookimpl


@hookimpl
def graphrag_register_bridges() -> Sequence[type]:
    """Return the bridge ``lyra_http``."""
    from graphrag_lyra_http.bridge import LyraHttp

    return [LyraHttp]


@hookimpl
def graphrag_config_sources() -> Sequence[Path]:
    """Return the directory with ``bridge=lyra_http``."""
    return [Path(__file__).parent / "conf"]
