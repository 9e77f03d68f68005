"""Which queries are looked into."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.recorded import RunRecord
from graphrag_pipeline.experiment.sweep.selection import LOWER_IS_BETTER

WORST = 20
BEST_SHARE = 4
"""For so many of the worst queries, one of the best."""


def chosen_measure(record: RunRecord, measure: str | None) -> str | None:
    """Return the value that orders queries; the first measure by default, None where there is none.

    Raises:
        DatasetError: The run has no such value.
    """
    if measure is None:
        return next(iter(record.measures or record.columns), None)
    if measure not in record.columns:
        raise DatasetError(
            f"The run has no measure {measure!r}.",
            where="--measure",
            hint=f"It has {', '.join(record.columns)}.",
        )
    return measure


@dataclass(frozen=True, slots=True)
class Graded:
    """Queries with the value that orders them.

    Args:
        queries: Their ids, in order.
        values: The value of each; NaN where there is none.
        measure: What it is; empty when queries are in their own order.
    """

    queries: tuple[str, ...]
    values: tuple[float, ...]
    measure: str = ""

    @classmethod
    def of(cls, record: RunRecord, measure: str | None) -> Self:
        """Return the queries of a run."""
        queries = tuple(row.query for row in record.rows)
        if measure is None:
            return cls(queries, (math.nan,) * len(queries))
        return cls(queries, record.column(measure), measure)

    def worst_first(self) -> list[int]:
        """Return places of the queries, the worst value first, those without one last; ties keep order."""
        sign = -1 if self.measure in LOWER_IS_BETTER else 1
        # No number is less or more than NaN: it would leave the order to chance.
        keys = [(True, 0.0) if math.isnan(value) else (False, sign * value) for value in self.values]
        return sorted(range(len(keys)), key=keys.__getitem__)


def chosen_queries(graded: Graded, worst: int, named: Sequence[str]) -> tuple[str, ...]:
    """Return ids of the queries to look into: those that are named, the worst, and some of the best.

    Args:
        graded: The queries.
        worst: How many of the worst; a quarter as many of the best come too.
        named: Ids that are wanted in any case.

    Raises:
        DatasetError: A named query is not there.
    """
    there = frozenset(graded.queries)
    for query in named:
        if query not in there:
            first = ", ".join(graded.queries[:3])
            raise DatasetError(
                f"There is no query {query!r}.", where="--query", hint=f"Queries are, for example: {first}."
            )
    order = graded.worst_first()
    judged = [place for place in order if not math.isnan(graded.values[place])]
    ids = [graded.queries[place] for place in judged or order]
    rest = ids[worst:]
    count = min(-(-worst // BEST_SHARE) if worst > 1 and judged else 0, len(rest))
    best = rest[len(rest) - count :][::-1]
    return tuple(dict.fromkeys([*named, *ids[:worst], *best]))
