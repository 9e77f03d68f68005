"""Where the rows of a sweep are kept: SQLite, a row by config and query, written a query at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.store_faults import refuse_cut_off, worded
from graphrag_pipeline.experiment.sweep.store_lock import WriterLock
from graphrag_pipeline.experiment.sweep.store_reading import (
    APPLICATION,
    FORMAT,
    IDENTITY,
    LAYOUT,
    about_of,
    batches_of,
    check_kind,
    check_pages,
)
from graphrag_pipeline.experiment.sweep.store_records import (
    Layout,
    StoredPoint,
    StoredRow,
    checksum,
    differences,
    packed,
    point_text,
    text_checksum,
    text_point,
)

__all__ = ["Layout", "Store", "StoredPoint", "StoredRow"]

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE points (number INTEGER PRIMARY KEY, point TEXT NOT NULL, checksum BLOB NOT NULL);
CREATE TABLE batches (
    batch INTEGER PRIMARY KEY, query INTEGER NOT NULL, rows INTEGER NOT NULL, checksum BLOB NOT NULL
);
CREATE INDEX batches_of_query ON batches (query);
CREATE TABLE errors (error INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE rows (
    query INTEGER NOT NULL, point INTEGER NOT NULL, batch INTEGER NOT NULL, status INTEGER NOT NULL,
    seconds REAL NOT NULL, measures BLOB NOT NULL, digest BLOB NOT NULL, error INTEGER,
    PRIMARY KEY (query, point)
) WITHOUT ROWID;
"""


class Store:
    """The rows of one sweep, open for writing by this process alone.

    Rows are written in transactions: what a killed process wrote last is there whole or not at all. Each
    transaction leaves a checksum, which is compared when the rows are read, so that a flipped bit is found.
    No time of day is stored, and nothing depends on one.

    Args:
        path: The file.
        layout: What its numbers are of.
        connection: To the file.
        lock: Held.
    """

    def __init__(self, path: Path, layout: Layout, connection: sqlite3.Connection, lock: WriterLock) -> None:
        self.path = path
        self.layout = layout
        self._connection = connection
        self._lock = lock
        self._checked: set[int] = set()

    @classmethod
    def open(
        cls, path: Path, identity: Mapping[str, Any], layout: Layout, *, force_new: bool = False
    ) -> Store:
        """Make a store, or go on with one that was made by the same. An empty file is as good as none.

        Args:
            path: The file; its directory is there.
            identity: What the rows depend on, as JSON data: code, plugins, graph, questions, measures.
            layout: What the numbers are of.
            force_new: Whether to throw away a store that is there.

        Raises:
            DatasetError: It was made by something else, it is damaged or no store, another process is
                writing it, or it cannot be written.
        """
        lock = WriterLock(path)
        with worded(path):
            lock.take()
            try:
                if force_new:
                    _remove(path)
                refuse_cut_off(path)
                store = cls(path, layout, _connect(path), lock)
            except BaseException:
                lock.release()
                raise
        try:
            with worded(path):
                store._begin(_plain(identity))
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, which then is the only one: those beside it hold what is being written."""
        # Where somebody is reading, or the disk is full, the files beside it stay, and nothing is lost.
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()
        self._lock.release()

    # -- opening -----------------------------------------------------------------------------------

    def _begin(self, identity: Mapping[str, Any]) -> None:
        if _is_empty(self._connection):
            self._make(identity)
            return
        check_kind(self._connection, self.path)
        check_pages(self._connection, self.path)
        self._compare(identity)
        self._connection.execute("PRAGMA journal_mode = WAL")

    def _make(self, identity: Mapping[str, Any]) -> None:
        # Readers go on while a transaction is written.
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            for statement in _SCHEMA.strip().split(";\n"):
                self._connection.execute(statement)
            self._say(IDENTITY, identity)
            self._say(LAYOUT, asdict(self.layout))
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {FORMAT}")

    def _compare(self, identity: Mapping[str, Any]) -> None:
        stored = about_of(self._connection, self.path, IDENTITY)
        layout = about_of(self._connection, self.path, LAYOUT)
        if found := [*differences(stored, identity), *differences(layout, _plain(asdict(self.layout)))]:
            raise self._made_otherwise("The sweep that is there was made by something else", found)

    def _made_otherwise(self, what: str, found: Sequence[str]) -> DatasetError:
        return DatasetError(
            f"{what}:\n  " + "\n  ".join(found),
            where=str(self.path),
            hint="--output DIR makes another sweep; --force-new throws away what is there.",
        )

    def _say(self, key: str, value: object) -> None:
        text = json.dumps(value, sort_keys=True)
        self._connection.execute("INSERT INTO about VALUES (?, ?, ?)", (key, text, text_checksum(text)))

    # -- writing -----------------------------------------------------------------------------------

    def add_points(self, points: Iterable[StoredPoint]) -> None:
        """Add configs; those that are there must be the same.

        Raises:
            DatasetError: A config of that number is another one, or writing fails.
        """
        with worded(self.path), self._transaction():
            for point in points:
                text = point_text(point)
                found = self._connection.execute(
                    "SELECT point FROM points WHERE number = ?", (point.number,)
                ).fetchone()
                if found is None:
                    row = (point.number, text, text_checksum(text))
                    self._connection.execute("INSERT INTO points VALUES (?, ?, ?)", row)
                elif found[0] != text:
                    raise self._another_point(text_point(found[0]), point)

    def _another_point(self, stored: StoredPoint, given: StoredPoint) -> DatasetError:
        told = differences(_plain(asdict(stored)), _plain(asdict(given)))
        return self._made_otherwise(f"Config {given.number} of the sweep that is there is another one", told)

    def write(self, query: int, rows: Sequence[StoredRow]) -> None:
        """Write rows of one query, all or none.

        Args:
            query: Place of the query.
            rows: Of configs that have no row for the query yet.

        Raises:
            DatasetError: Writing fails; what was stored before is still there.
            ValueError: A row does not fit the measures, or is there already.
        """
        if not rows:
            return
        made = [packed(row, len(self.layout.measures)) for row in rows]
        with worded(self.path), self._transaction():
            execute = self._connection.execute
            batch = execute(
                "INSERT INTO batches (query, rows, checksum) VALUES (?, ?, ?)",
                (query, len(made), checksum(query, made)),
            ).lastrowid
            errors = {text: self._error(text) for text in dict.fromkeys(row[5] for row in made) if text}
            try:
                self._connection.executemany(
                    "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        (query, point, batch, status, seconds, values, digest, errors.get(error))
                        for point, status, seconds, values, digest, error in made
                    ),
                )
            except sqlite3.IntegrityError as error:
                raise ValueError(f"query {query} has a row for one of these configs already") from error

    def _error(self, text: str) -> int:
        self._connection.execute("INSERT OR IGNORE INTO errors (text) VALUES (?)", (text,))
        found = self._connection.execute("SELECT error FROM errors WHERE text = ?", (text,)).fetchone()
        return int(found[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            # SQLite itself rolls back when the disk is full.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    # -- asking ------------------------------------------------------------------------------------

    def done(self, query: int) -> set[int]:
        """Return the numbers of the configs that have a row for a query, failed or not.

        Raises:
            DatasetError: Rows of the query are damaged.
        """
        with worded(self.path):
            if query not in self._checked:
                for _ in batches_of(self._connection, self.path, query):
                    pass
                self._checked.add(query)
            found = self._connection.execute("SELECT point FROM rows WHERE query = ?", (query,))
            return {int(point) for (point,) in found}


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=5, isolation_level=None)
    # A killed process loses nothing with it; a power cut may lose what was written last, and no more.
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _is_empty(connection: sqlite3.Connection) -> bool:
    [count] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(count == 0)


# Any: JSON
def _plain(value: Any) -> Any:
    """Return data as it comes back from JSON, so that it can be compared with what is stored."""
    return json.loads(json.dumps(value))
