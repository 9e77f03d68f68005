"""LYRA when it is installed, the mock when it is not."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.stages.bridges.lyra import connect
from graphrag_pipeline.stages.bridges.mock import LyraMockBridge
from graphrag_pipeline.stages.contract import Bridge, BridgeParams


class AutoBridge:
    """Chooses at the first call, once, and says what it chose.

    Args:
        params: Parameters every bridge has.
    """

    name = "auto"
    Params = BridgeParams

    def __init__(self, *, params: BridgeParams | None = None) -> None:
        self.params = BridgeParams() if params is None else params

    @cached_property
    def _choice(self) -> tuple[Bridge, str, str]:
        try:
            return connect(), "live", ""
        except StageError as error:
            return LyraMockBridge(params=self.params), "mock", error.what

    @property
    def chosen(self) -> Bridge:
        """The bridge that answers."""
        return self._choice[0]

    @property
    def mode(self) -> str:
        """``live`` or ``mock``."""
        return self._choice[1]

    @property
    def local(self) -> bool:
        """Whether the choice is made and cannot hang."""
        return "_choice" in self.__dict__ and self.mode == "mock"

    @property
    def why(self) -> str:
        """Why it is the mock; empty when live."""
        return self._choice[2]

    # Any: the answer comes from outside; the runner checks it entry by entry.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        """Ask the chosen bridge."""
        return self.chosen.graph_of_thought_query(query, depth=depth)

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Ask the chosen bridge."""
        return self.chosen.vocab_lookup(term, namespace)

    def harmonic_expand(self, concept: str) -> list[str]:
        """Ask the chosen bridge."""
        return self.chosen.harmonic_expand(concept)
