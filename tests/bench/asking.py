"""The queries that are measured."""

from __future__ import annotations

import random
from dataclasses import dataclass

from graphrag_pipeline import CELLS, GraphIndex, GraphRAG, NoOpLyraBridge, ZachmanCell
from tests.bench.graphs import PERSONAS, SAME_TAG, persona

WARM_PERSONAS = 20
"""Personas that take turns; an index remembers whom 32 needles fit, so these stay warm."""
PLAIN, FOCUSED, MISS, FRESH, WHOLE = "plain", "persona + cell", "no match", "new persona", "whole result"


@dataclass(frozen=True, slots=True)
class Ask:
    """One query with k=10."""

    text: str
    persona: str | None
    cell: ZachmanCell | None
    hops: int
    tag: int

    def oracle(self) -> dict[str, object]:
        """Return the query as the oracle's wrapper takes it."""
        cell = None if self.cell is None else self.cell.coordinate
        return {
            "text": self.text,
            "k": 10,
            "persona_id": self.persona,
            "zachman_cell": cell,
            "max_hops": self.hops,
        }


def asks(size: int, hops: int, case: str, count: int) -> list[Ask]:
    """Draw queries; the same arguments give the same queries.

    A text stands in ten labels, spread evenly over the graph, so a search reads nine tenths of them; with the
    case :data:`MISS` it stands in none.
    """
    rng = random.Random(11)
    tags = [rng.randrange(size // SAME_TAG) for _ in range(count)]
    texts = [f"y{tag:06}" if case == MISS else f"x{tag:06}" for tag in tags]
    focused = case in (FOCUSED, FRESH, WHOLE)
    turn = PERSONAS if case == FRESH else WARM_PERSONAS
    return [
        Ask(
            text,
            persona(number % turn) if focused else None,
            rng.choice(CELLS) if focused else None,
            hops,
            tag,
        )
        for number, (text, tag) in enumerate(zip(texts, tags, strict=True))
    ]


class Engine:
    """The reference pipeline without a bridge, over one index."""

    def __init__(self, index: GraphIndex) -> None:
        self.rag = GraphRAG(index, lyra_bridge=NoOpLyraBridge())

    def run(self, ask: Ask) -> object:
        """Answer a query; the context is written, the rest of the result is made when it is read."""
        return self.rag.query(ask.text, 10, ask.persona, ask.cell, ask.hops)

    def whole(self, ask: Ask) -> dict[str, object]:
        """Answer a query and read all of the result."""
        return self.rag.query(ask.text, 10, ask.persona, ask.cell, ask.hops).to_dict()

    def stages(self, ask: Ask) -> dict[str, float]:
        """Return the wall seconds of each stage, and how many nodes were ``visited``."""
        trace = self.rag.trace(ask.text, 10, ask.persona, ask.cell, ask.hops)
        seconds = {slot.slot: slot.seconds for slot in trace.slots}
        visited = next(slot.candidates_out for slot in trace.slots if slot.slot == "expand")
        return {**seconds, "rest": trace.seconds - sum(seconds.values()), "visited": visited}
