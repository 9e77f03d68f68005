"""The measures of some answers at once: those of ranks by arrays, others by ir-measures and by plugins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphrag_pipeline.experiment.cutoff_measures import NOT_FOUND, is_cutoff_measure, values_of_ranks
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.measures import check_levels, plain_name, scores_of
from graphrag_pipeline.experiment.plugin_metrics import measured
from graphrag_pipeline.experiment.trec import Qrels, RunFile
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.plugin.contract import Metric

NOTHING_RELEVANT = "no document is relevant"
Levels = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One ranking of a judged query.

    Args:
        query_id: The query.
        nodes: Node ids, best first.
        ranks: Ranks of the relevant nodes that are in the ranking, from 1.
        levels: Their levels.
        failed: Whether the query failed; the ranking is empty then.
    """

    query_id: str
    nodes: Sequence[str]
    ranks: Sequence[int]
    levels: Sequence[float]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """The measures of one ranking.

    Args:
        values: In the order of the measures; None where there is no value.
        undefined: Why there is none, by measure.
    """

    values: tuple[float | None, ...]
    undefined: Mapping[str, str] = field(default_factory=dict)


class BatchMeasures:
    """Measures rankings of one question set.

    Args:
        measures: Their names.
        metrics: Those of them that plugins bring.
        judged: The question set.

    Raises:
        DatasetError: There is no such measure, or it does not take a level of the judgements.
    """

    def __init__(self, measures: Sequence[str], metrics: Mapping[str, Metric], judged: Judged) -> None:
        self._measures = tuple(measures)
        self._metrics = metrics
        self._judged = judged
        self._by_ranks = [name for name in measures if name not in metrics and is_cutoff_measure(name)]
        rest = [name for name in measures if name not in metrics and name not in self._by_ranks]
        self._by_library = {name: plain_name(name) for name in rest}
        for name in rest:
            check_levels(name, judged.qrels)

    def of(self, rankings: Sequence[Ranked]) -> list[Values]:
        """Return the values of rankings of judged queries, in their order.

        Raises:
            DatasetError: A measure cannot be computed here.
        """
        if not self._measures or not rankings:
            return [Values(()) for _ in rankings]
        relevance = self._judged.qrels.relevance
        judged = [relevance[ranked.query_id] for ranked in rankings]
        levels = [{node: level for node, level in nodes.items() if level > 0} for nodes in judged]
        columns: dict[str, Sequence[float]] = {}
        if self._by_ranks:
            found = values_of_ranks(self._by_ranks, *_arrays(rankings, levels))
            columns = dict(zip(self._by_ranks, found.tolist(), strict=True))
        if self._by_library:
            columns |= self._library(rankings)
        return [self._values(place, ranked, levels[place], columns) for place, ranked in enumerate(rankings)]

    def _values(
        self, place: int, ranked: Ranked, levels: Levels, columns: Mapping[str, Sequence[float]]
    ) -> Values:
        if not levels:
            return Values((None,) * len(self._measures), dict.fromkeys(self._measures, NOTHING_RELEVANT))
        values: list[float | None] = []
        undefined: dict[str, str] = {}
        for name in self._measures:
            if name in self._metrics:
                value, reason = measured(self._metrics[name], ranked.nodes, levels, ranked.failed)
            else:
                number = columns[name][place]
                value, reason = (number, "") if math.isfinite(number) else (None, f"it is {number}")
            values.append(value)
            if value is None:
                undefined[name] = reason
        return Values(tuple(values), undefined)

    def _library(self, rankings: Sequence[Ranked]) -> dict[str, Sequence[float]]:
        asked = [ranked.query_id for ranked in rankings]
        qrels = self._judged.qrels
        part = Qrels(qrels.path, {query: qrels.relevance[query] for query in asked})
        run = RunFile(
            "run", qrels.path, {ranked.query_id: tuple(ranked.nodes) for ranked in rankings if ranked.nodes}
        )
        scores = scores_of(part, [run], list(self._by_library.values()))
        at = {query: column for column, query in enumerate(scores.queries)}
        order = [at[query] for query in asked]
        rows = {name: scores.values[place, 0, order].tolist() for place, name in enumerate(scores.measures)}
        return {name: rows[plain] for name, plain in self._by_library.items()}


def _arrays(
    rankings: Sequence[Ranked], levels: Sequence[Levels]
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    """Return ranks, levels, ideal levels and counts, as :func:`values_of_ranks` takes them."""
    count = np.array([len(found) for found in levels])
    ideal = np.zeros((len(rankings), int(count.max(initial=0))))
    ranks = np.full((len(rankings), max((len(ranked.ranks) for ranked in rankings), default=0)), NOT_FOUND)
    gains = np.zeros(ranks.shape)
    for row, (ranked, found) in enumerate(zip(rankings, levels, strict=True)):
        ideal[row, : len(found)] = sorted(found.values(), reverse=True)
        if ranked.ranks:
            placed = sorted(zip(ranked.ranks, ranked.levels, strict=True))
            ranks[row, : len(placed)] = [rank for rank, _ in placed]
            gains[row, : len(placed)] = [level for _, level in placed]
    return ranks, gains, ideal, count
