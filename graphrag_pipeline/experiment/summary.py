"""Means over the queries of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from graphrag_pipeline.experiment.datasets.checks import Findings
from graphrag_pipeline.experiment.evaluate import Row

GRAPH_VALUES = (
    *("gold_candidates", "gold_context", "path_edges"),
    *("connectedness", "candidates", "context_nodes", "tokens"),
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
        measures: Means by measure, over all judged queries.
        graph: Means of :data:`GRAPH_VALUES`: of gold nodes over judged queries, of path edges over queries
            with gold paths, of the others over all queries.
        findings: What of the question set does not match.
    """

    queries: int
    judged: int
    failed: tuple[str, ...]
    measures: Mapping[str, Mean]
    graph: Mapping[str, Mean]
    findings: Findings

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
        findings=findings,
    )


def _mean(values: Iterable[float | None]) -> Mean:
    there = [value for value in values if value is not None]
    return Mean(math.fsum(there) / len(there) if there else None, len(there))
