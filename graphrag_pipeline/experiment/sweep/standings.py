"""The means of a sweep, reckoned row by row: its values are never in memory all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.halves import in_half_a
from graphrag_pipeline.experiment.sweep.results import STORE, PointResult, measured_rows
from graphrag_pipeline.experiment.sweep.store_reading import batches_of, layout_of, points_of, reading
from graphrag_pipeline.experiment.sweep.store_records import FAILED, Layout, Packed, StoredPoint, status_of

Values = NDArray[np.float64]
_Batch = tuple[int, NDArray[np.int64], Values, Sequence[Packed]]
"""Place of a query, places of points, values by point and measure, and the rows they are of."""


@dataclass(frozen=True, slots=True)
class SweepFailure:
    """One way in which queries failed, or have no value of a metric that raised.

    Args:
        error: What happened: ``what``, ``where`` and ``hint`` as JSON.
        rows: How many rows of all configs failed so.
        point: The first config among them, for the first query.
        query: That query.
    """

    error: str
    rows: int
    point: int
    query: str


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """What a sweep is worth, without the values of single queries.

    Args:
        directory: Where the sweep is.
        dataset: Name of the question set.
        keys: The swept keys, in the order they were given.
        points: The configs, by number.
        queries: Ids of the queries, in the order of the question set.
        measures: Names of the measures.
        mean: By measure and point, over the queries that have a value; NaN without any.
        mean_on_a: The same over the queries of half A.
        failures: Why queries failed, each reason once, in the order they came.
        count: By measure and point, how many queries have a value.
        failed_on_a: By point, how many queries of half A failed.
        seconds_on_a: By point, the median time of a query of half A; NaN where none has run.
    """

    directory: Path
    dataset: str
    keys: tuple[str, ...]
    points: tuple[PointResult, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    mean: Values
    mean_on_a: Values
    failures: tuple[SweepFailure, ...]
    count: NDArray[np.int64]
    failed_on_a: NDArray[np.int64]
    seconds_on_a: Values

    def means(self) -> Values:
        """Return the means by measure and point."""
        return self.mean


def read_standings(directory: Path) -> Standings:
    """Read what a sweep is worth so far.

    Args:
        directory: Of the sweep.

    Raises:
        DatasetError: It is no sweep, or its store is damaged.
    """
    with _rows(directory / STORE) as (layout, points, rows):
        shape = len(layout.measures), len(points)
        every, on_a = _Sums(shape), _Sums(shape)
        half_a = np.array([in_half_a(query) for query in layout.queries], dtype=bool)
        failed, failed_on_a = np.zeros((2, len(points)), dtype=np.int64)
        # Four bytes a row: a median needs them all.
        seconds = np.full((len(points), len(layout.queries)), np.nan, dtype=np.float32)
        failures: dict[str, SweepFailure] = {}
        for query, places, values, batch in rows:
            _note_failures(failures, layout.queries[query], batch)
            every.add(places, values)
            lost = np.array([status_of(row[1]) == FAILED for row in batch], dtype=np.int64)
            failed[places] += lost
            if half_a[query]:
                on_a.add(places, values)
                failed_on_a[places] += lost
            seconds[places, query] = [row[2] for row in batch]
    told = (
        _point(point, int(count), taken) for point, count, taken in zip(points, failed, seconds, strict=True)
    )
    return Standings(
        directory,
        layout.dataset,
        layout.keys,
        tuple(told),
        layout.queries,
        layout.measures,
        every.means(),
        on_a.means(),
        tuple(failures.values()),
        every.count,
        failed_on_a,
        np.array([_median(taken[half_a]) for taken in seconds], dtype=np.float64),
    )


def read_values(directory: Path, numbers: Sequence[int]) -> Values:
    """Return the values of some points, by measure, point (in the order of their numbers) and query.

    NaN where a point has not run, or a query has no value.

    Raises:
        DatasetError: It is no sweep, or its store is damaged.
    """
    wanted = np.array(sorted(numbers), dtype=np.int64)
    with _rows(directory / STORE) as (layout, points, rows):
        known = np.array([point.number for point in points], dtype=np.int64)
        found = np.full((len(layout.measures), wanted.size, len(layout.queries)), np.nan)
        for query, places, values, _ in rows:
            at = np.searchsorted(wanted, known[places])
            there = (at < wanted.size) & (wanted[np.minimum(at, wanted.size - 1)] == known[places])
            found[:, at[there], query] = values[there].T
    return found


@contextmanager
def _rows(path: Path) -> Iterator[tuple[Layout, tuple[StoredPoint, ...], Iterator[_Batch]]]:
    """Give the layout, the points, and the rows of each query in turn, while a store is open."""
    with reading(path) as connection:
        # One view of the store, whatever a sweep that is running adds in the meantime.
        connection.execute("BEGIN")
        layout, points = layout_of(connection, path), points_of(connection, path)
        numbers = np.array([point.number for point in points], dtype=np.int64)

        def rows() -> Iterator[_Batch]:
            for query in range(len(layout.queries)):
                for batch in batches_of(connection, path, query):
                    yield query, *measured_rows(path, query, batch, numbers, len(layout.measures)), batch

        yield layout, points, rows()


class _Sums:
    """Sums by measure and point, as exact as two floats can hold them.

    What each addition rounds off is added up beside (T. J. Dekker, A floating-point technique for extending
    the available precision, 1971), so that a mean does not depend on how many queries there are.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._total, self._rest = np.zeros(shape), np.zeros(shape)
        self.count = np.zeros(shape, dtype=np.int64)

    def add(self, places: NDArray[np.int64], values: Values) -> None:
        """Add values by row and measure to the points at some places; NaN is no value."""
        there = ~np.isnan(values.T)
        added = np.where(there, values.T, 0.0)
        before = self._total[:, places]
        total = before + added
        part = total - before
        self._rest[:, places] += (before - (total - part)) + (added - part)
        self._total[:, places] = total
        self.count[:, places] += there

    def means(self) -> Values:
        """Return the means; NaN of nothing."""
        some = self.count > 0
        return np.where(some, (self._total + self._rest) / np.maximum(self.count, 1), np.nan)


def _note_failures(failures: dict[str, SweepFailure], query: str, batch: Sequence[Packed]) -> None:
    for number, *_, error in batch:
        if error:
            known = failures.get(error, SweepFailure(error, 0, number, query))
            failures[error] = replace(known, rows=known.rows + 1)


def _point(point: StoredPoint, failed: int, seconds: NDArray[np.float32]) -> PointResult:
    ended = bool(np.isfinite(seconds).all())
    status = "unfinished" if not ended else "failed" if failed == seconds.size else "done"
    return PointResult(point.number, dict(point.values), point.config, status, failed, _median(seconds))


def _median(seconds: NDArray[np.float32]) -> float:
    """Return the median of what has run; NaN of nothing."""
    taken = seconds[~np.isnan(seconds)]
    return float(np.median(taken)) if taken.size else float("nan")
