"""The part of the graph that one query was about: what it kept, dropped and why, and never saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from graphrag_pipeline.experiment.result_rows import context_rows, ids_of_rows
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.stages.candidates import NOWHERE

MOST_NODES = 60
ENOUGH_NODES = 44
"""Nodes up to which a drawing is filled with further ones of the result."""
MOST_EDGES = 150
GOLD_NODES, CONTEXT_NODES, LEFT_NODES, DROPPED_NODES = 24, 26, 10, 14
CONTEXT, LEFT, DROPPED, UNSEEN = "context", "left out", "dropped", "not reached"
STATES = (CONTEXT, LEFT, DROPPED, UNSEEN)
NO_HOP = -1


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of the drawing.

    Args:
        node_id: Its id.
        label: Its label.
        node_type: Its type.
        state: One of :data:`STATES`.
        reason: Why it is not in the context; empty when it is.
        gold: Whether it is judged relevant.
        rank: Place in the ranking, from 1; None when it is not in the result.
        score: Its score; None likewise.
        hop: Edges from its seed; :data:`NO_HOP` for a node of a bridge and outside the result.
    """

    node_id: str
    label: str
    node_type: str
    state: str
    reason: str
    gold: bool
    rank: int | None = None
    score: float | None = None
    hop: int = NO_HOP


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge between two drawn nodes.

    Args:
        source: Place of the source among the nodes.
        target: Place of the target.
        edge_type: Its type.
        discovered: Whether the walk came to a node over it.
    """

    source: int
    target: int
    edge_type: str
    discovered: bool


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What is drawn, and how much there is.

    Args:
        nodes: The nodes that are drawn.
        edges: The edges between them that are drawn.
        totals: How many nodes there are in each state, drawn or not.
        hidden_edges: Edges between drawn nodes that are not drawn.
    """

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    totals: tuple[int, ...]
    hidden_edges: int


def subgraph(trace: Trace, relevant: Sequence[str]) -> Subgraph:
    """Choose what to draw of a query.

    These come first, as far as there is room: relevant nodes with the nodes on their paths, the best of the
    context, then of the result what is not in the context, and of what filters dropped some of each reason.

    Args:
        trace: What happened.
        relevant: Ids of the relevant nodes.
    """
    seen = _Seen.of(trace, relevant)
    chosen = _chosen(seen)
    nodes = tuple(seen.drawn(node_id) for node_id in chosen)
    edges = _edges(trace, chosen)
    shown = sorted(edges, key=lambda edge: not edge.discovered)[:MOST_EDGES]
    unseen = sum(node_id not in seen.rows and node_id not in seen.dropped for node_id in seen.gold)
    in_context = len(seen.context)
    totals = (in_context, len(seen.rows) - in_context, len(seen.dropped), unseen)
    return Subgraph(nodes, tuple(shown), totals, len(edges) - len(shown))


@dataclass(frozen=True, slots=True)
class _Seen:
    """Every node a query came across, by id, in the order of the ranking or of being dropped."""

    trace: Trace
    rows: dict[str, int]
    ranks: dict[str, int]
    context: frozenset[str]
    left: dict[str, str]
    dropped: dict[str, str]
    gold: tuple[str, ...]

    @classmethod
    def of(cls, trace: Trace, relevant: Sequence[str]) -> _Seen:
        working, index = trace.working, trace.index
        order = working.ranking()
        ranked = ids_of_rows(order, working, index)
        reports = [slot.context for slot in trace.slots if slot.context is not None]
        rows = dict(zip(ranked, order.tolist(), strict=True))
        dropped: dict[str, str] = {}
        for slot in trace.slots:
            for node_id, reason in slot.dropped():
                if node_id not in rows:
                    dropped.setdefault(node_id, f"{reason} ({slot.slot})")
        return cls(
            trace,
            rows,
            {node_id: rank for rank, node_id in enumerate(ranked, start=1)},
            frozenset(ids_of_rows(context_rows(working, index), working, index)),
            dict(reports[-1]) if reports else {},
            dropped,
            tuple(relevant),
        )

    def drawn(self, node_id: str) -> DrawnNode:
        """Return a node with its state."""
        gold = node_id in self.gold
        row = self.rows.get(node_id)
        if row is None:
            return self._outside(node_id, gold)
        working = self.trace.working
        (record,) = working.nodes(np.array([row]), self.trace.index)
        inside = node_id in self.context
        hop = int(working.candidates.hop[row]) if row < len(working.candidates) else NO_HOP
        return DrawnNode(
            node_id,
            record.label,
            record.node_type,
            CONTEXT if inside else LEFT,
            "" if inside else self.left.get(node_id, ""),
            gold,
            self.ranks[node_id],
            float(working.scores[row]),
            hop,
        )

    def _outside(self, node_id: str, gold: bool) -> DrawnNode:
        """Return a node that is not in the result."""
        position = self.trace.index.position(node_id)
        label, kind = node_id, ""
        if position is not None:
            _, (kind,), (label,) = self.trace.index.names_at(np.array([position]))
        if node_id in self.dropped:
            return DrawnNode(node_id, label, kind, DROPPED, self.dropped[node_id], gold)
        why = "" if position is not None else "no node of the graph"
        return DrawnNode(node_id, label, kind, UNSEEN, why, gold)

    def path(self, node_id: str) -> Iterator[str]:
        """Yield the nodes over which one of the result was reached, itself first."""
        yield node_id
        candidates = self.trace.working.candidates
        row = self.rows.get(node_id, NOWHERE)
        while 0 <= row < len(candidates) and (row := int(candidates.parent_row[row])) >= 0:
            yield self.trace.index.ids[candidates.node[row]]


def _chosen(seen: _Seen) -> list[str]:
    found: dict[str, None] = {}

    def take(ids: Iterable[str], most: int) -> None:
        new = (node_id for node_id in ids if node_id not in found)
        for node_id in islice(new, max(min(most, MOST_NODES - len(found)), 0)):
            found[node_id] = None

    in_order = sorted(seen.gold, key=lambda node_id: seen.ranks.get(node_id, len(seen.ranks) + 1))
    take(in_order, GOLD_NODES)
    take(chain.from_iterable(seen.path(node_id) for node_id in tuple(found)), GOLD_NODES)
    inside = (node_id for node_id in seen.ranks if node_id in seen.context)
    take(inside, CONTEXT_NODES)
    take((node_id for node_id in seen.ranks if node_id not in seen.context), LEFT_NODES)
    take(_spread(seen.dropped), DROPPED_NODES)
    take(seen.ranks, ENOUGH_NODES - len(found))
    return list(found)


def _spread(dropped: dict[str, str]) -> Iterator[str]:
    """Yield ids reason by reason in turn, so that a rare reason is seen beside a common one."""
    by_reason: dict[str, list[str]] = {}
    for node_id, reason in dropped.items():
        by_reason.setdefault(reason, []).append(node_id)
    for turn in range(MOST_NODES):
        yield from (ids[turn] for ids in by_reason.values() if turn < len(ids))


def _edges(trace: Trace, chosen: Sequence[str]) -> list[DrawnEdge]:
    index = trace.index
    places = {node_id: place for place, node_id in enumerate(chosen)}
    at = {
        position: places[node_id] for node_id in chosen if (position := index.position(node_id)) is not None
    }
    edges = index.table.edges
    wanted = np.array(sorted(at), dtype=np.int64)
    both = np.flatnonzero(np.isin(edges.source, wanted) & np.isin(edges.target, wanted))
    candidates = trace.working.candidates
    walked = frozenset(candidates.edge[candidates.parent_row >= 0].tolist())
    kinds = edges.type.many(both)
    found = [
        DrawnEdge(at[source], at[target], kind, edge in walked)
        for edge, source, target, kind in zip(
            both.tolist(), edges.source[both].tolist(), edges.target[both].tolist(), kinds, strict=True
        )
        if source != target
    ]
    for extra in trace.working.extras.edges:
        if extra.source_id in places and extra.target_id in places:
            ends = places[extra.source_id], places[extra.target_id]
            found.append(DrawnEdge(*ends, extra.edge_type, discovered=True))
    return found
