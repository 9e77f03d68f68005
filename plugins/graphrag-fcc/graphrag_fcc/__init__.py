"""The knowledge graph and personas of ``fcc-agent-team-ext``, as sources for graphrag_pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrag_pipeline import hookimpl


@hookimpl
def graphrag_register_graph_sources() -> Sequence[type]:
    """Return the graph source ``fcc``."""
    from graphrag_fcc.graph import FccGraph

    return [FccGraph]


@hookimpl
def graphrag_register_persona_sources() -> Sequence[type]:
    """Return the persona source ``fcc``."""
    from graphrag_fcc.personas import FccPersonas

    return [FccPersonas]


@hookimpl
def graphrag_config_sources() -> Sequence[Path]:
    """Return the directory with ``graph=fcc`` and ``personas=fcc``."""
    return [Path(__file__).parent / "conf"]
