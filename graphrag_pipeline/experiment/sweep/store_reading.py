"""Reading a store: what it is, and its rows, each batch compared with its checksum."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.store_faults import damaged, foreign, refuse_cut_off, worded
from graphrag_pipeline.experiment.sweep.store_records import (
    Layout,
    Packed,
    StoredPoint,
    checksum,
    text_checksum,
    text_point,
)

FORMAT = 1
"""Version of a store."""
APPLICATION = 0x47525053
"""What SQLite files of this kind say they are: GRPS."""
IDENTITY, LAYOUT = "identity", "layout"
"""What a store says of itself."""

_ROWS = """
SELECT rows.batch, point, status, seconds, measures, digest, coalesce(errors.text, '')
FROM rows LEFT JOIN errors ON errors.error = rows.error WHERE query = ? ORDER BY point
"""


def batches_of(connection: sqlite3.Connection, path: Path, query: int) -> Iterator[list[Packed]]:
    """Yield the rows of a query by batch, in the order in which they were written.

    Raises:
        DatasetError: They are not those that were written.
    """
    told = connection.execute(
        "SELECT batch, rows, checksum FROM batches WHERE query = ? ORDER BY batch", (query,)
    )
    expected = {batch: (count, made) for batch, count, made in told}
    found: dict[int, list[Packed]] = {batch: [] for batch in expected}
    for batch, *row in connection.execute(_ROWS, (query,)):
        if batch not in found:
            raise _damaged_rows(connection, path, query)
        found[batch].append(tuple(row))
    for batch, (count, made) in expected.items():
        if len(found[batch]) != count or not _agrees(query, found[batch], made):
            raise _damaged_rows(connection, path, query)
        yield found[batch]


def _agrees(query: int, rows: list[Packed], made: object) -> bool:
    try:
        return checksum(query, rows) == made
    except (TypeError, AttributeError, ValueError, OverflowError):  # a value of another type was read
        return False


def _damaged_rows(connection: sqlite3.Connection, path: Path, query: int) -> DatasetError:
    ids = layout_of(connection, path).queries
    name = ids[query] if 0 <= query < len(ids) else f"number {query + 1}"
    return damaged(path, f"the rows of query {name} are not those that were written")


def points_of(connection: sqlite3.Connection, path: Path) -> tuple[StoredPoint, ...]:
    """Return the configs, by number.

    Raises:
        DatasetError: One is not what was written.
    """
    points = []
    for number, text, made in connection.execute(
        "SELECT number, point, checksum FROM points ORDER BY number"
    ):
        try:
            if text_checksum(text) != made:
                raise ValueError(number)
            points.append(text_point(text))
        except (AttributeError, TypeError, ValueError) as error:
            raise damaged(path, f"config {number} is not what was written") from error
    return tuple(points)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store that is there for reading, also while a sweep writes it, and where nothing may be written.

    Raises:
        DatasetError: There is none, it is damaged, or it is something else.
    """
    with worded(path):
        if not path.is_file():
            raise DatasetError(
                "There is no store of a sweep.", where=str(path), hint="Give a sweep's directory."
            )
        refuse_cut_off(path)
        connection = _readable(path)
        try:
            check_kind(connection, path)
            check_pages(connection, path)
            yield connection
        finally:
            connection.close()


def _readable(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=5, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        # SQLite keeps a file beside the store while it reads. Where it cannot, nobody else writes either.
        return sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return connection


def check_kind(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse an SQLite file of another program, or of a later version of this one.

    Raises:
        DatasetError: It is one.
    """
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise foreign(path, "it is an SQLite file of something else")
    if version != FORMAT:
        raise DatasetError(
            f"The sweep was made by another version: its store has format {version}, not {FORMAT}.",
            where=str(path),
            hint="Use the version that made it; or --force-new makes the sweep anew.",
        )


def check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file whose pages do not hang together.

    Raises:
        DatasetError: They do not.
    """
    [told] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if told != "ok":
        raise damaged(path, str(told).replace("\n", " "))


# Any: JSON
def about_of(connection: sqlite3.Connection, path: Path, key: str) -> Any:
    """Return what a store says of itself under a key.

    Raises:
        DatasetError: It is not what was written.
    """
    try:
        found = connection.execute("SELECT value, checksum FROM about WHERE key = ?", (key,)).fetchone()
        if text_checksum(found[0]) != found[1]:
            raise ValueError(key)
        return json.loads(found[0])
    except (AttributeError, TypeError, ValueError) as error:
        raise damaged(path, "what it says of itself is not what was written") from error


def layout_of(connection: sqlite3.Connection, path: Path) -> Layout:
    """Return what the numbers of a store are of.

    Raises:
        DatasetError: It is not what was written.
    """
    said = about_of(connection, path, LAYOUT)
    return Layout(said["dataset"], tuple(said["keys"]), tuple(said["queries"]), tuple(said["measures"]))
