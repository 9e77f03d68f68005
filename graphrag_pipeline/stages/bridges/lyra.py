"""The live LYRA bridge: ``lyra.api.LyraAdapter``."""

from __future__ import annotations

import importlib
from functools import cached_property
from typing import Any

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.stages.contract import Bridge, BridgeParams

MODULE = "lyra.api"


def connect() -> Bridge:
    """Import LYRA and construct its adapter.

    Raises:
        StageError: ``lyra.api`` cannot be imported, has no ``LyraAdapter``, or the adapter cannot be
            constructed.
    """
    try:
        adapter: Bridge = importlib.import_module(MODULE).LyraAdapter()
    except (Exception, SystemExit) as error:  # whatever an outside package raises: it is not available
        raise StageError(
            f"LYRA is not available: {type(error).__name__}: {error}",
            where=f"{MODULE}.LyraAdapter",
            hint="Install the package that provides lyra.api, or choose bridge=mock or bridge=noop.",
        ) from error
    return adapter


class LyraBridge:
    """Passes every call to LYRA, imported at the first call; never falls back to anything.

    Args:
        params: Parameters every bridge has.
    """

    name = "lyra"
    Params = BridgeParams
    mode = "live"

    def __init__(self, *, params: BridgeParams | None = None) -> None:
        self.params = BridgeParams() if params is None else params

    @cached_property
    def adapter(self) -> Bridge:
        """The live adapter.

        Raises:
            StageError: See :func:`connect`; the next call tries again.
        """
        return connect()

    # Any: the answer comes from outside; the runner checks it entry by entry.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        """Ask LYRA."""
        return self.adapter.graph_of_thought_query(query, depth=depth)

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Ask LYRA."""
        return self.adapter.vocab_lookup(term, namespace)

    def harmonic_expand(self, concept: str) -> list[str]:
        """Ask LYRA."""
        return self.adapter.harmonic_expand(concept)
