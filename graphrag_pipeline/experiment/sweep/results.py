"""What a sweep found, by config and query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.sweep.samplers import HALF_A, STUDIES
from graphrag_pipeline.experiment.sweep.store_faults import damaged
from graphrag_pipeline.experiment.sweep.store_reading import (
    IDENTITY,
    about_of,
    batches_of,
    layout_of,
    points_of,
    reading,
)
from graphrag_pipeline.experiment.sweep.store_records import FAILED, Packed, StoredPoint, status_of

STORE = "store.sqlite"
"""Name of the store in the directory of a sweep."""


@dataclass(frozen=True, slots=True)
class PointResult:
    """One config of a sweep.

    Args:
        number: Its place in the sweep, from 0.
        values: Text of the value of each swept key, in the order of the keys.
        config: Digest of its config.
        status: ``done``; ``failed`` when every query failed; ``unfinished`` when some have not run.
        failed: Queries that failed.
        seconds: Median of the time of a query, shared stages counted in full.
    """

    number: int
    values: Mapping[str, str]
    config: str
    status: str
    failed: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class SweepResults:
    """Everything a sweep measured.

    Args:
        directory: Where the sweep is.
        dataset: Name of the question set.
        keys: The swept keys, in the order they were given.
        points: The configs, by number.
        queries: Ids of the queries, in the order of the question set.
        measures: Names of the measures.
        values: By measure, point and query. A query that failed counts 0; NaN where it has not run, or
            where it is not judged.
        seconds: By point and query; NaN where it has not run.
        half_b_is_free: Whether half B of the queries had no part in which configs ran. It had one where an
            optimiser was told of all queries.
    """

    directory: Path
    dataset: str
    keys: tuple[str, ...]
    points: tuple[PointResult, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    values: NDArray[np.float64]
    seconds: NDArray[np.float64]
    half_b_is_free: bool = True

    def means(self) -> NDArray[np.float64]:
        """Return means by measure and point over the queries that have a value; NaN without any."""
        there = ~np.isnan(self.values)
        count = there.sum(axis=2)
        total = np.where(there, self.values, 0.0).sum(axis=2)
        means: NDArray[np.float64] = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        return means


def read_sweep(directory: Path) -> SweepResults:
    """Read what a sweep found so far.

    Args:
        directory: Of the sweep.

    Raises:
        DatasetError: It is no sweep, or its store is damaged.
    """
    path = directory / STORE
    with reading(path) as connection:
        # One view of the store, whatever a sweep that is running adds in the meantime.
        connection.execute("BEGIN")
        layout, identity = layout_of(connection, path), about_of(connection, path, IDENTITY)
        table = _Table(path, points_of(connection, path), len(layout.queries), len(layout.measures))
        for query in range(len(layout.queries)):
            for batch in batches_of(connection, path, query):
                table.fill(query, batch)
    return SweepResults(
        directory=directory,
        dataset=layout.dataset,
        keys=layout.keys,
        points=table.points(),
        queries=layout.queries,
        measures=layout.measures,
        values=table.values,
        seconds=table.seconds,
        half_b_is_free=identity.get("sampler") not in STUDIES or identity.get("told of") == HALF_A,
    )


def read_points(directory: Path) -> tuple[StoredPoint, ...]:
    """Read the configs of a sweep, by number.

    Raises:
        DatasetError: There is no store, or it is damaged.
    """
    path = directory / STORE
    with reading(path) as connection:
        return points_of(connection, path)


def measured_rows(
    path: Path, query: int, batch: Sequence[Packed], numbers: NDArray[np.int64], measures: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the places of the configs of some rows among all, and the values by row and measure.

    Args:
        path: The store.
        query: Place of the query.
        batch: The rows.
        numbers: Numbers of all configs, in order.
        measures: How many measures there are.

    Raises:
        DatasetError: They are of a config that is not there, or of other measures.
    """
    found = np.array([row[0] for row in batch], dtype=np.int64)
    if not np.isin(found, numbers).all():
        raise damaged(path, f"it has rows of a config that it does not have, for query {query + 1}")
    if any(len(row[3]) != 8 * measures for row in batch):
        raise damaged(path, f"the rows of query {query + 1} have values of other measures")
    values = np.frombuffer(b"".join(row[3] for row in batch), dtype="<f8")
    return np.searchsorted(numbers, found), values.reshape(len(batch), measures)


class _Table:
    """The numbers of a store in arrays.

    Args:
        path: The store.
        points: The configs, by number.
        queries: How many queries there are.
        measures: How many measures there are.
    """

    def __init__(self, path: Path, points: Sequence[StoredPoint], queries: int, measures: int) -> None:
        self._path, self._points = path, points
        self._numbers = np.array([point.number for point in points], dtype=np.int64)
        self.values = np.full((measures, len(points), queries), np.nan)
        self.seconds = np.full((len(points), queries), np.nan)
        self._failed = np.zeros(len(points), dtype=np.int64)

    def fill(self, query: int, batch: Sequence[Packed]) -> None:
        """Take in rows of one query.

        Raises:
            DatasetError: They are of a config that is not there, or of other measures.
        """
        places, values = measured_rows(self._path, query, batch, self._numbers, len(self.values))
        self.values[:, places, query] = values.T
        self.seconds[places, query] = [row[2] for row in batch]
        self._failed[places] += [status_of(row[1]) == FAILED for row in batch]

    def points(self) -> tuple[PointResult, ...]:
        """Return what became of each config."""
        return tuple(self._point(place, point) for place, point in enumerate(self._points))

    def _point(self, place: int, point: StoredPoint) -> PointResult:
        taken = self.seconds[place][~np.isnan(self.seconds[place])]
        failed, queries = int(self._failed[place]), self.seconds.shape[1]
        status = "unfinished" if len(taken) < queries else "failed" if failed == queries else "done"
        seconds = float(np.median(taken)) if len(taken) else float("nan")
        return PointResult(point.number, dict(point.values), point.config, status, failed, seconds)
