"""From what came out of a trie to the values of each config."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.cutoff_measures import cutoff_values, depth_of, is_cutoff_measure
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.graph_measures import OF_CONTEXTS, GraphMeasures, failed_values
from graphrag_pipeline.experiment.measures import check_measures, plain_name, scores_of
from graphrag_pipeline.experiment.plugin_metrics import RAISED, measured, metrics_of
from graphrag_pipeline.experiment.result_rows import ids_of_rows
from graphrag_pipeline.experiment.summary import GRAPH_VALUES
from graphrag_pipeline.experiment.sweep.walk import Leaf
from graphrag_pipeline.experiment.trec import Qrels, RunFile
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.trace import SlotTrace, Trace
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.contract import Metric
from graphrag_pipeline.plugin.host import PluginHost

logger = logging.getLogger(__name__)

Values = NDArray[np.float64]
Ranking = tuple[str, ...]
PARTITION_FROM = 4
"""Rankings of this many times their depth are cut before they are sorted."""
_QUERY = "query"


def refuse_unknown(measures: Sequence[str], host: PluginHost) -> None:
    """Refuse names that are no measures, before anything runs.

    Raises:
        DatasetError: A measure is unknown.
        PluginError: Several plugins have a metric of one name, or it cannot be made.
    """
    ranked = [name for name in measures if name not in GRAPH_VALUES]
    metrics = metrics_of(ranked, host)
    check_measures([name for name in ranked if name not in metrics])


def needs_context(measures: Sequence[str]) -> bool:
    """Tell whether a measure looks at more than rankings; if none does, no context needs to be written."""
    return any(name in GRAPH_VALUES for name in measures)


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and what is known of it.

    Args:
        query: The query, persona resolved.
        levels: Judged level by node; None when the query is not judged.
        gold: What is known of its answer.
        index: The graph.
        graph: Computes values of results on that graph.
    """

    query: Query
    levels: Mapping[str, float] | None
    gold: Gold
    index: GraphIndex
    graph: GraphMeasures

    @classmethod
    def of(cls, query_id: str, query: Query, judged: Judged, index: GraphIndex, graph: GraphMeasures) -> Self:
        """Look up what is known of a query."""
        levels = judged.qrels.relevance.get(query_id)
        gold = Gold.of(index, judged.relevant.get(query_id), judged.edges.get(query_id, ()), levels)
        return cls(query, levels, gold, index, graph)


class Measuring:
    """Computes measures of leaves.

    Args:
        measures: Names: of ir-measures, of metrics of plugins, of values of results.
        depth: Most nodes of a ranking.
        metrics: The measures that plugins bring, by name.
    """

    def __init__(
        self, measures: Sequence[str], depth: int, metrics: Mapping[str, Metric] | None = None
    ) -> None:
        self.measures = tuple(measures)
        self._metrics = metrics or {}
        ranked = [name for name in measures if name not in GRAPH_VALUES]
        self._of_results = [name for name in measures if name in GRAPH_VALUES]
        self._fast = [name for name in ranked if name not in self._metrics and is_cutoff_measure(name)]
        self._slow = [name for name in ranked if name not in self._fast]
        self._depth = depth if self._slow else depth_of(self._fast, depth)

    def values(self, leaf: Leaf, asked: Asked) -> tuple[Values, list[bytes], list[str]]:
        """Return the values by row and measure, a digest of each ranking, and what a metric raised.

        A value is NaN where the query is not judged, or the measure has none. The ranking is as deep as the
        measures need.
        """
        order = best(leaf.scores, max(self._depth, 1))
        raised = [""] * len(order)
        columns: dict[str, Values] = {}
        if asked.levels:
            columns |= self._ranked(leaf, order, asked.levels, asked, raised)
        if self._of_results:
            columns |= self._results(leaf, asked)
        nothing = np.full(len(order), np.nan)
        values = np.stack([columns.get(name, nothing) for name in self.measures], axis=1)
        return values, _digests(leaf, order), raised

    def failed(self, asked: Asked) -> tuple[float, ...]:
        """Return the values of a query that failed: it found nothing."""
        values = failed_values(asked.levels is not None, bool(asked.gold.edges), bool(asked.gold.cells.size))
        relevant = any(level > 0 for level in (asked.levels or {}).values())
        return tuple(
            _number(getattr(values, name)) if name in GRAPH_VALUES else 0.0 if relevant else math.nan
            for name in self.measures
        )

    def without_context(self, values: tuple[float, ...]) -> tuple[float, ...]:
        """Return values as they are of a config that has no stage that writes a context."""
        named = zip(self.measures, values, strict=True)
        return tuple(math.nan if name in OF_CONTEXTS else value for name, value in named)

    def _ranked(
        self,
        leaf: Leaf,
        order: IntArray,
        levels: Mapping[str, float],
        asked: Asked,
        raised: list[str],
    ) -> dict[str, Values]:
        ideal = np.array(sorted((float(level) for level in levels.values() if level > 0), reverse=True))
        if not ideal.size:
            return {}
        level = _level_of_nodes(leaf.working, levels, asked.index)
        gains = level[order] if level.size else np.zeros(order.shape)
        found = cutoff_values(self._fast, gains, ideal, ideal.size)
        columns = dict(zip(self._fast, found, strict=True))
        if not self._slow:
            return columns
        rankings = [tuple(ids_of_rows(rows, leaf.working, asked.index)) for rows in order]
        columns |= self._of_library(rankings, levels)
        return columns | self._of_plugins(rankings, levels, raised)

    def _of_library(self, rankings: Sequence[Ranking], levels: Mapping[str, float]) -> dict[str, Values]:
        """Ask for each ranking as a run of its own: a query is in a run once."""
        names = {name: plain_name(name) for name in self._slow if name not in self._metrics}
        if not names:
            return {}
        runs = [RunFile(str(row), "", {_QUERY: ranking}) for row, ranking in enumerate(rankings)]
        found = scores_of(Qrels("qrels", {_QUERY: levels}), runs, list(names.values()))
        return {name: found.values[found.measures.index(plain)][:, 0] for name, plain in names.items()}

    def _of_plugins(
        self, rankings: Sequence[Ranking], levels: Mapping[str, float], raised: list[str]
    ) -> dict[str, Values]:
        relevant = {node: level for node, level in levels.items() if level > 0}
        columns = {}
        for name, metric in self._metrics.items():
            found = [measured(metric, ranking, relevant) for ranking in rankings]
            columns[name] = np.array([_told(name, *pair) for pair in found])
            for row, (_, reason) in enumerate(found):
                if reason.startswith(RAISED):
                    raised[row] = raised[row] or f"The metric {name} has no value: {reason}."
        return columns

    def _results(self, leaf: Leaf, asked: Asked) -> dict[str, Values]:
        # Configs with scores of their own share a leaf only where no context follows, and what is not in a
        # context does not depend on scores: once is enough.
        slot = SlotTrace("context", "context_assembler", "", 0.0, 0, 0, context=leaf.context)
        trace = Trace(asked.query, leaf.working, asked.index, (slot,), (), leaf.seconds)
        found = asked.graph.values(trace, asked.gold)
        return {name: np.full(len(leaf.points), _number(getattr(found, name))) for name in self._of_results}


def best(scores: FloatArray, depth: int) -> IntArray:
    """Return the first rows of each stable ranking, best score first; ties keep the order of the nodes.

    Args:
        scores: By ranking and node.
        depth: How many.
    """
    size = scores.shape[1]
    if size < PARTITION_FROM * depth:
        return np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    # The nodes that are at least as good as the last wanted one: with ties these may be more than wanted.
    least = np.partition(scores, size - depth, axis=1)[:, size - depth, np.newaxis]
    rows: list[IntArray] = []
    for row, enough in zip(scores, scores >= least, strict=True):
        places = np.flatnonzero(enough)
        rows.append(places[np.argsort(-row[places], kind="stable")[:depth]])
    return np.stack(rows)


def _level_of_nodes(working: WorkingSet, levels: Mapping[str, float], index: GraphIndex) -> FloatArray:
    """Return the judged level of each node of candidates-then-extras; 0 for one that is not judged."""
    found = np.zeros(len(working))
    nodes = [(index.position(node), float(level)) for node, level in levels.items()]
    there = [(position, level) for position, level in nodes if position is not None]
    if there and len(working.candidates):
        rows = working.candidates.rows(np.array([position for position, _ in there]))
        for row, (_, level) in zip(rows.tolist(), there, strict=True):
            if row >= 0:
                found[row] = level
    first = len(working.candidates)
    for place, node in enumerate(working.extras.nodes):
        found[first + place] = levels.get(node.node_id, 0)
    return found


def _digests(leaf: Leaf, order: IntArray) -> list[bytes]:
    """Return a digest of each ranking: positions of nodes, ids of extras, and scores."""
    working = leaf.working
    extras = "\0".join(node.node_id for node in working.extras.nodes).encode("utf-8", "surrogatepass")
    head = hashlib.blake2b(extras, digest_size=8)
    size = len(working.candidates)
    position = np.concatenate([working.candidates.node, -1 - np.arange(len(working) - size)]).astype("<i8")
    nodes = position[order]
    scores = np.take_along_axis(leaf.scores, order, axis=1).astype("<f8")
    digests = []
    for row in range(len(order)):
        digest = head.copy()
        digest.update(nodes[row].tobytes())
        digest.update(scores[row].tobytes())
        digests.append(digest.digest())
    return digests


def _told(name: str, value: float | None, reason: str) -> float:
    """Return what a metric gave; where that is no value, say so: its queries are in no mean."""
    if value is None and not reason.startswith(RAISED):
        logger.warning("The metric %s has no value for some queries, which are in no mean: %s", name, reason)
    return _number(value)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
