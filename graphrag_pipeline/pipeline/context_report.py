"""What a context holds of the result, and why not the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.working import WorkingSet


@dataclass(frozen=True)
class ContextReport:
    """The size of a context, and the nodes it leaves out, each with a reason; they are listed when asked for.

    Args:
        working: The working set with the context.
        index: The graph.
        tokens: Tokens of the text.
        budget: Tokens it might take.
    """

    working: WorkingSet
    index: GraphIndex
    tokens: int
    budget: int

    def __len__(self) -> int:
        return len(self.working) - self.working.context.written

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield node id and reason of the nodes left out, best first."""
        context, own = self.working.context, self.working.candidates
        ids = [*self.index.ids_at(own.node), *(node.node_id for node in self.working.extras.nodes)]
        rows = self.working.ranking().tolist()
        ranked = rows[context.written :] if context.node_ids is None else rows
        there = frozenset(context.node_ids or ())
        for row in ranked:
            if ids[row] not in there:
                yield ids[row], context.left_out.get(ids[row], context.rest)

    def counts(self) -> dict[str, int]:
        """How many nodes each reason left out; reasons by name."""
        context = self.working.context
        total: dict[str, int] = {}
        for reason in context.left_out.values():
            total[reason] = total.get(reason, 0) + 1
        rest = len(self) - len(context.left_out)
        if rest:
            total[context.rest] = total.get(context.rest, 0) + rest
        return dict(sorted(total.items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        return {
            "tokens": self.tokens,
            "budget": self.budget,
            "written": self.working.context.written,
            "counts": self.counts(),
            "left_out": [[node_id, reason] for node_id, reason in self],
        }
