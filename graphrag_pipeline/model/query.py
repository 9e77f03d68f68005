"""The query: what is asked, and for whom."""

from __future__ import annotations

from dataclasses import dataclass

from graphrag_pipeline.model.zachman import ZachmanCell


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the graph.

    Args:
        text: The words; blank text finds no seeds by label.
        k: Most seeds to start from; 0 or less means none.
        persona: Persona id that scoring favours; None or empty means nobody.
        cell: Zachman cell the filter keeps; None means no filter.
        max_hops: Most edges between a seed and a candidate; negative means 0.
        anchors: Texts that stand for the persona in scoring. The runner fills them from the persona
            registry; empty means the persona id itself.
    """

    text: str
    k: int = 10
    persona: str | None = None
    cell: ZachmanCell | None = None
    max_hops: int = 3
    anchors: tuple[str, ...] = ()

    @property
    def hops(self) -> int:
        """``max_hops``, never negative."""
        return max(self.max_hops, 0)

    @property
    def persona_anchors(self) -> tuple[str, ...]:
        """Texts that stand for the persona; empty when there is none."""
        if not self.persona:
            return ()
        return self.anchors or (self.persona,)
