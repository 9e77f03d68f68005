"""A bridge that adds nothing."""

from __future__ import annotations

from typing import Any

from graphrag_pipeline.stages.contract import BridgeParams


class NoOpLyraBridge:
    """Answers every call with nothing; for runs that must not leave the graph.

    Args:
        params: Parameters every bridge has.
    """

    name = "noop"
    Params = BridgeParams
    mode = "noop"
    local = True

    def __init__(self, *, params: BridgeParams | None = None) -> None:
        self.params = BridgeParams() if params is None else params

    # Any: same shape as every bridge's answer.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> dict[str, Any]:
        """Return an empty answer."""
        return {}

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Return no terms."""
        return []

    def harmonic_expand(self, concept: str) -> list[str]:
        """Return no concepts."""
        return []
