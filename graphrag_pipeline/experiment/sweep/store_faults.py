"""What can be wrong with a store of a sweep, in a user's words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphrag_pipeline.errors import NO_ROOM, DatasetError, OutputError

ANEW = "--force-new makes the sweep anew; or restore the file from a copy."


def damaged(path: Path, what: str) -> DatasetError:
    """Return the error of a store that is not what was written."""
    return DatasetError(f"The store of the sweep is damaged: {what}.", where=str(path), hint=ANEW)


def foreign(path: Path, what: str) -> DatasetError:
    """Return the error of a file that is no store."""
    return DatasetError(
        f"This is not the store of a sweep: {what}.",
        where=str(path),
        hint="Choose another directory: --output DIR.",
    )


def refuse_cut_off(path: Path) -> None:
    """Refuse a file that is too short to be told from a new one by SQLite; an empty one is new.

    Raises:
        DatasetError: It is.
        OSError: It cannot be looked at.
    """
    if path.is_file() and 0 < path.stat().st_size < _HEADER:
        raise damaged(path, "it is cut off")


_HEADER = 100
"""Bytes that every SQLite file has."""


@contextmanager
def worded(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into ours; nothing that was stored is lost by them.

    Raises:
        DatasetError: With what to do; an OutputError where there is no room, or the disk fails.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _of_sqlite(error, path) from error
    except OSError as error:
        hint = "See that the directory is there, that it may be written, and that the disk has room."
        kind = OutputError if error.errno in NO_ROOM else DatasetError
        raise kind(
            f"The store of the sweep cannot be written: {error.strerror or error}.",
            where=str(path),
            hint=hint,
        ) from error


_GOES_ON = "the same command goes on from what is stored."


def _of_sqlite(error: sqlite3.Error, path: Path) -> DatasetError:
    name = str(getattr(error, "sqlite_errorname", ""))
    if name.startswith("SQLITE_NOTADB"):
        return foreign(path, "it is no SQLite file")
    for beginnings, what, hint in _WORDS:
        if name.startswith(beginnings):
            kind = OutputError if name.startswith(_NOT_OUR_INPUT) else DatasetError
            return kind(what, where=str(path), hint=hint)
    return damaged(path, str(error))


# By how SQLite's names begin, the longer first; what is not here is damage.
_WORDS = (
    (("SQLITE_FULL",), "The disk is full.", f"Make room; {_GOES_ON}"),
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        "Another program has the store of the sweep open and locked.",
        f"Close it there; {_GOES_ON}",
    ),
    (
        ("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN", "SQLITE_AUTH"),
        "The store of the sweep cannot be opened or written.",
        "See that the directory and its files may be written; --output DIR writes elsewhere.",
    ),
    (("SQLITE_IOERR_SHORT_READ",), "The store of the sweep is damaged: it is cut off.", ANEW),
    (
        ("SQLITE_IOERR",),
        "Reading or writing the store of the sweep failed.",
        f"The disk, or the network that it is on, may be at fault. Once it works, {_GOES_ON}",
    ),
)
_NOT_OUR_INPUT = ("SQLITE_FULL", "SQLITE_IOERR")
"""What has to do with the disk, and not with what was asked."""
