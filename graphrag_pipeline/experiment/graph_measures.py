"""What a measure of rankings does not see: candidates, the context, and the edges between its nodes.

Where a pipeline has no stage that writes a context, what is of contexts has no value: 0 would say that all
evidence was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphrag_pipeline.experiment.datasets.checks import GoldEdge
from graphrag_pipeline.experiment.excerpts import Excerpt, Extra
from graphrag_pipeline.experiment.gold import Gold, cell_codes
from graphrag_pipeline.experiment.label_groups import LabelGroups
from graphrag_pipeline.experiment.result_rows import context_rows, rows_of
from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import EdgesThere, WorkingSet
from graphrag_pipeline.stages.candidates import NOWHERE

OF_CONTEXTS = (
    *("gold_context", "gold_survived", "cell_coverage"),
    *("connectedness", "redundancy", "context_nodes", "tokens"),
)
"""Values that only a pipeline which writes a context has."""
FEW = 8
"""Nodes that are looked for one by one; for more the index is faster."""


@dataclass(frozen=True, slots=True)
class GraphValues:
    """Values of one query; the defaults are those of a query that failed.

    Those of :data:`OF_CONTEXTS` are None where no context is written.

    Args:
        candidates: Nodes of the result, extras of a bridge among them.
        context_nodes: Nodes in the context.
        tokens: Tokens of the context, by the configured counter.
        connectedness: Share of the context's nodes in the largest group that is joined by edges of the
            result; 0 without nodes.
        gold_candidates: Share of relevant nodes in the result; None without judgements.
        gold_context: Share of relevant nodes in the context; None without judgements.
        gold_survived: Share of the relevant nodes of the result that are in the context; None where none is
            in the result.
        path_edges: Share of gold edges among the edges of the result; None without gold paths.
        path_completeness: Share of gold paths all of whose edges are in the result; None without gold paths.
        hop_coverage: How far along its gold paths the result goes: mean over the paths of the share of edges
            before the first that is missing; None without gold paths.
        edge_precision: Share of the edges of the result that are gold edges; 0 without edges, None without
            gold paths.
        cell_coverage: Share of the Zachman cells of relevant nodes, or else of the query's cell, that have a
            node in the context; None without such a cell.
        redundancy: Share of the context's nodes whose label has the same words as that of one before; None
            without nodes.
    """

    candidates: int = 0
    context_nodes: int | None = 0
    tokens: int | None = 0
    connectedness: float | None = 0.0
    gold_candidates: float | None = None
    gold_context: float | None = None
    gold_survived: float | None = None
    path_edges: float | None = None
    path_completeness: float | None = None
    hop_coverage: float | None = None
    edge_precision: float | None = None
    cell_coverage: float | None = None
    redundancy: float | None = None

    def without_context(self) -> GraphValues:
        """Return the values of a pipeline that writes no context."""
        # Any: of each field its own type; None is one of all of them.
        nothing: dict[str, Any] = dict.fromkeys(OF_CONTEXTS)
        return replace(self, **nothing)


class GraphMeasures:
    """Computes the values of queries on one graph.

    Args:
        index: The graph.
    """

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self._labels = LabelGroups(index)

    def values(self, trace: Trace, gold: Gold, best: IntArray | None = None) -> GraphValues:
        """Return the values of a query; the arguments are those of :meth:`take`."""
        return self.of(self.take(trace, gold, best))

    def take(self, trace: Trace, gold: Gold, best: IntArray | None = None) -> Excerpt:
        """Take what is needed from a query, which is small: its columns can be let go then.

        Args:
            trace: What was answered.
            gold: What is known of its answer.
            best: The first rows of the ranking, at least as many as the context has; None lets them be found.
        """
        working = trace.working
        rows = self._context_rows(working, best)
        own, with_extras = rows, bool(working.extras.nodes)
        if with_extras:
            own = rows[rows < len(working.candidates)]
        found, ends, parents = self._places(gold, working)
        found = np.concatenate([found, _strangers(gold, working)]) if gold.strangers else found
        return Excerpt(
            gold,
            trace.query.cell,
            candidates=len(working),
            context_nodes=rows.size,
            tokens=next(
                (slot.context.tokens for slot in reversed(trace.slots) if slot.context is not None), 0
            ),
            node=working.candidates.node[own],
            parent=working.candidates.parent[own],
            found=found,
            kept=int(np.count_nonzero(found[:, np.newaxis] == rows)),
            paths=self._paths(gold, ends, parents, working) if gold.edges else {},
            extras=Extra.of(rows, working, self._index) if with_extras else None,
        )

    def read(self, excerpts: Sequence[Excerpt]) -> None:
        """Read from the graph what queries need; for many at once it is cheaper."""
        if excerpts:
            self._labels.read(np.concatenate([excerpt.node for excerpt in excerpts]))

    def of(self, excerpt: Excerpt) -> GraphValues:
        """Return the values of a query."""
        gold, reached = excerpt.gold, int(np.count_nonzero(excerpt.found >= 0))
        extras = excerpt.extras
        return GraphValues(
            candidates=excerpt.candidates,
            context_nodes=excerpt.context_nodes,
            tokens=excerpt.tokens,
            connectedness=_largest_tree(excerpt) if extras is None else extras.connectedness,
            gold_candidates=_of(gold.count, reached),
            gold_context=_of(gold.count, excerpt.kept),
            gold_survived=excerpt.kept / reached if reached else None,
            cell_coverage=self._cell_coverage(excerpt),
            redundancy=self._redundancy(excerpt),
            **excerpt.paths,
        )

    def _context_rows(self, working: WorkingSet, best: IntArray | None) -> IntArray:
        context = working.context
        if best is None or context.node_ids is not None or context.written > best.size:
            return context_rows(working, self._index)
        return best[: context.written]

    def _places(self, gold: Gold, working: WorkingSet) -> tuple[IntArray, IntArray, IntArray]:
        """Return the rows of relevant nodes, of ends of gold edges, and of parents if there are any."""
        node = working.candidates.node
        if not gold.edges and gold.nodes.size <= FEW:
            there = [np.flatnonzero(node == wanted).tolist() for wanted in gold.nodes.tolist()]
            return rows_of([row[0] if row else NOWHERE for row in there]), rows_of([]), rows_of([])
        # One question to the index for all: each costs as much as there are candidates.
        asked = gold.nodes, gold.ends, working.candidates.parent if gold.edges else rows_of([])
        places = self._index.rows(node, np.concatenate(asked))
        first, second = gold.nodes.size, gold.nodes.size + gold.ends.size
        return places[:first], places[first:second], places[second:]

    def _cell_coverage(self, excerpt: Excerpt) -> float | None:
        wanted = excerpt.gold.wanted_cells(excerpt.cell)
        if not wanted.size:
            return None
        there = {*cell_codes(self._index, excerpt.node).tolist()}
        if excerpt.extras is not None:
            there |= {*excerpt.extras.cells}
        return sum(cell in there for cell in wanted.tolist()) / wanted.size

    def _redundancy(self, excerpt: Excerpt) -> float | None:
        if not excerpt.context_nodes:
            return None
        added = () if excerpt.extras is None else excerpt.extras.labels
        return self._labels.repeated(excerpt.node, added) / excerpt.context_nodes

    def _paths(
        self, gold: Gold, ends: IntArray, parents: IntArray, working: WorkingSet
    ) -> Mapping[str, float]:
        found = self._found(gold, ends, working)
        walked = [_walked([found[edge] for edge in path]) for path in gold.paths]
        edges = int(np.count_nonzero(parents >= 0)) + len(working.extras.edges)
        return {
            "path_edges": share(found),
            "path_completeness": share(part == 1 for part in walked),
            "hop_coverage": sum(walked) / len(walked),
            "edge_precision": min(1.0, sum(found) / edges) if edges else 0.0,
        }

    def _found(self, gold: Gold, ends: IntArray, working: WorkingSet) -> list[bool]:
        """Tell of each gold edge whether it is an edge of the result."""
        if working.extras.edges:
            there = EdgesThere.of(working, self._index)
            return [_is_there(edge, there) for edge in gold.edges]
        rows = dict(zip(gold.ends.tolist(), ends.tolist(), strict=True))
        return [any(self._joins(*way, rows, working) for way in ways) for ways in gold.ways]

    def _joins(
        self, source: int, target: int, edge_type: int, rows: Mapping[int, int], working: WorkingSet
    ) -> bool:
        """Tell whether one of two nodes discovered the other over an edge of this direction and type."""
        one, other = rows[source], rows[target]
        if NOWHERE in (one, other):
            return False
        candidates, edges = working.candidates, self._index.table.edges
        for row, parent in ((other, source), (one, target)):
            edge = candidates.edge[row]
            is_edge = edges.source[edge] == source and edges.target[edge] == target
            if candidates.parent[row] == parent and is_edge and edges.type.code[edge] == edge_type:
                return True
        return False


def _largest_tree(excerpt: Excerpt) -> float:
    """Return the share of nodes in the largest group, without extras.

    Each node has one edge, to its parent: a group is a tree, and its root has no parent in the context.
    """
    node, size = excerpt.node, excerpt.node.size
    if not size:
        return 0.0
    order = np.argsort(node)
    place = order[np.minimum(np.searchsorted(node, excerpt.parent, sorter=order), size - 1)]
    root = np.where(node[place] == excerpt.parent, place, np.arange(size))
    while True:
        higher = root[root]
        if np.array_equal(higher, root):
            return int(np.bincount(root).max()) / size
        root = higher


def _strangers(gold: Gold, working: WorkingSet) -> IntArray:
    """Return the rows of the relevant nodes that a bridge may have brought."""
    first = len(working.candidates)
    extras = {node.node_id: first + place for place, node in enumerate(working.extras.nodes)}
    return rows_of([extras.get(node, NOWHERE) for node in gold.strangers])


def _walked(found: Sequence[bool]) -> float:
    """Return the share of edges before the first one that is missing."""
    return (found.index(False) if False in found else len(found)) / len(found)


def _of(count: int | None, part: int) -> float | None:
    """Return the share of relevant nodes; 0 of none, None without judgements."""
    return None if count is None else part / count if count else 0.0


def _is_there(gold: GoldEdge, there: EdgesThere) -> bool:
    return any(
        (source, target, gold.edge_type) in there for source in gold.sources for target in gold.targets
    )


def failed_values(judged: bool, has_edges: bool, has_cells: bool = False) -> GraphValues:
    """Return the values of a query that failed: it found nothing."""
    gold = 0.0 if judged else None
    paths = 0.0 if has_edges else None
    return GraphValues(
        gold_candidates=gold,
        gold_context=gold,
        path_edges=paths,
        path_completeness=paths,
        hop_coverage=paths,
        edge_precision=paths,
        cell_coverage=0.0 if has_cells else None,
    )


def share(found: Iterable[bool]) -> float:
    """Return the share of what holds; 0 of nothing."""
    answers = list(found)
    return sum(answers) / len(answers) if answers else 0.0
