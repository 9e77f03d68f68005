"""Means over the queries of a run."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from graphrag_pipeline.experiment.answers import Row
from graphrag_pipeline.experiment.datasets.checks import Findings
from graphrag_pipeline.experiment.plugin_metrics import RAISED

GRAPH_VALUES = (
    *("gold_candidates", "gold_context", "gold_survived"),
    *("path_edges", "path_completeness", "hop_coverage", "edge_precision"),
    *("cell_coverage", "connectedness", "redundancy", "candidates", "context_nodes", "tokens"),
)
"""Names of the values that need more than a ranking, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and how many queries it is over; None over no query."""

    mean: float | None
    queries: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run is worth.

    Args:
        queries: How many queries ran.
        judged: How many of them are judged.
        failed: Ids of those that failed; they count 0.
        measures: Means by measure, over all judged queries that have a value.
        graph: Means of :data:`GRAPH_VALUES`, each over the queries that have a value.
        undefined: Ids of the judged queries that have no value, by measure and reason.
        findings: What of the question set does not match.
        degraded: How many queries went on after a slot failed, by slot and what was done.
        bridged: To how many queries a bridge added nodes, by its mode.
    """

    queries: int
    judged: int
    failed: tuple[str, ...]
    measures: Mapping[str, Mean]
    graph: Mapping[str, Mean]
    undefined: Mapping[str, Mapping[str, tuple[str, ...]]]
    findings: Findings
    degraded: Mapping[str, int] = field(default_factory=dict)
    bridged: Mapping[str, int] = field(default_factory=dict)

    @property
    def raised(self) -> tuple[str, ...]:
        """Names of the measures that raised."""
        told = self.undefined.items()
        return tuple(name for name, reasons in told if any(reason.startswith(RAISED) for reason in reasons))

    # Any: JSON
    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain JSON data."""
        return asdict(self)


def summary(rows: Sequence[Row], measures: Sequence[str], findings: Findings) -> Summary:
    """Return the means over the rows."""
    judged = [row.values for row in rows if row.values is not None]
    without = set(findings.without_qrels)
    return Summary(
        queries=len(rows),
        judged=sum(row.answer.question.query_id not in without for row in rows),
        failed=tuple(row.answer.question.query_id for row in rows if row.answer.failure),
        measures={name: _mean(values[place] for values in judged) for place, name in enumerate(measures)},
        graph={name: _mean(getattr(row.answer.graph, name) for row in rows) for name in GRAPH_VALUES},
        undefined=_undefined(rows),
        findings=findings,
        degraded=_counted(row.answer.degraded for row in rows),
        bridged=_counted(row.answer.bridged for row in rows),
    )


def _counted(told: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return how many queries tell each thing; a slot may stand twice in the order."""
    counts = Counter(what for each in told for what in dict.fromkeys(each))
    return dict(sorted(counts.items()))


def _undefined(rows: Sequence[Row]) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for name, reason in row.undefined.items():
            found.setdefault(name, {}).setdefault(reason, []).append(row.answer.question.query_id)
    return {name: {reason: tuple(ids) for reason, ids in reasons.items()} for name, reasons in found.items()}


def _mean(values: Iterable[float | None]) -> Mean:
    there = [value for value in values if value is not None]
    return Mean(math.fsum(there) / len(there) if there else None, len(there))
