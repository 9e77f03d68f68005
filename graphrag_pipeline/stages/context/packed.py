"""What packing assemblers share: from nodes to entries, to those that fit, to the context."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import ClassVar, TypeVar

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.context.packing import PackedParams, Packing
from graphrag_pipeline.stages.context.units import After, Frame, Omission, Unit, in_order
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import BUDGET, DUPLICATE, POOL, Context, ScoredNode

Q = TypeVar("Q", bound=PackedParams)


class PackedAssembler(Component[Q], ABC):
    """Writes entries in rank order, as many as its packing finds room for; the whole text is measured."""

    separator: ClassVar[str] = "\n"

    @abstractmethod
    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield the entries of the nodes, best first, and the nodes that have none."""

    def header(self) -> str:
        """Return what stands before the first entry."""
        return ""

    def render(self, units: Sequence[Unit]) -> str:
        """Return the text of some entries, given in rank order."""
        head = self.header()
        return self.separator.join([*([head] if head else []), *(unit.text for unit in units)])

    def assemble(
        self,
        scored: Iterable[ScoredNode],
        query: Query,
        index: GraphIndex,
        counter: TokenCounter,
        budget: int,
    ) -> Context:
        """Write what fits; nothing at all, and a note, where no entry does."""
        source = iter(scored)
        nodes = list(islice(source, self.params.pool))
        more = next(source, None) is not None
        reasons: dict[str, str] = {}
        frame = Frame(self.render, self.separator, counter, budget)
        packing = Packing(frame, self.params, index)
        packing.pack(_entries(self.units(nodes, index, counter), reasons))
        for unit in packing.seen:
            if unit.rank in packing.reasons:
                for node_id in unit.ids:
                    reasons.setdefault(node_id, packing.reasons[unit.rank])
        return self._context(packing, nodes, reasons, POOL if more else BUDGET)

    def _context(
        self, packing: Packing, nodes: Sequence[ScoredNode], reasons: dict[str, str], rest: str
    ) -> Context:
        shown = dict.fromkeys(node_id for unit in in_order(packing.chosen) for node_id in unit.ids)
        left = {
            node.node_id: reasons.get(node.node_id, BUDGET) for node in nodes if node.node_id not in shown
        }
        return Context(
            text=packing.frame.render(in_order(packing.chosen)) if packing.chosen else "",
            written=len(shown),
            node_ids=tuple(shown),
            left_out={node_id: reason for node_id, reason in left.items() if reason != rest},
            rest=rest,
            notes=_notes(packing),
        )


def _entries(found: Iterator[Unit | Omission], reasons: dict[str, str]) -> Iterator[Unit]:
    """Yield the entries without duplicates; note why a node has none."""
    known: set[Hashable] = set()
    for entry in found:
        if isinstance(entry, Omission):
            reasons[entry.node_id] = entry.reason
            continue
        same = entry.text if entry.same is None else entry.same
        if same in known:
            for node_id in entry.ids:
                reasons.setdefault(node_id, DUPLICATE)
            continue
        known.add(same)
        yield entry


def _notes(packing: Packing) -> tuple[str, ...]:
    if packing.chosen or not packing.seen:
        return ()
    frame = packing.frame
    # Of a section, what stands before it counts too: left out of both numbers.
    before = frame.counter.count("") if isinstance(frame.counter, After) else 0
    size, room = frame.size(packing.seen[:1]) - before, max(frame.budget - before, 0)
    return (f"nothing fits: the best entry takes {size} tokens, and there are {room}",)
