"""One writer at a time: a lock that is gone when its process is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from graphrag_pipeline.errors import DatasetError

SUFFIX = ".lock"


class WriterLock:
    """Held from :meth:`take` to :meth:`release`, or until the process ends, however it ends.

    The operating system holds it, not the file: a file that a killed process left behind locks nothing. It
    tells the number of the process, for the message to another.

    Args:
        path: What is locked; the lock's file is beside it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Take it.

        Raises:
            DatasetError: Another process has it.
            OSError: The file cannot be written.
        """
        file = self._path.with_name(self._path.name + SUFFIX).open("a+", encoding="utf-8")
        try:
            _lock(file)
        except OSError as error:
            file.seek(0)
            owner = file.read().strip()
            file.close()
            raise DatasetError(
                f"Another sweep is writing this store{f': process {owner}' if owner else ''}.",
                where=str(self._path),
                hint="Wait for it, or end it; --output DIR makes a sweep of its own.",
            ) from error
        file.seek(0)
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file

    def release(self) -> None:
        """Give it back; the file stays, empty, since another process may have it open already."""
        if self._file is not None:
            self._file.truncate(0)
            self._file.close()
            self._file = None


def _lock(file: IO[str]) -> None:
    try:
        import fcntl
    except ImportError:  # there is none on Windows, where SQLite's own lock must do
        return
    # Locks of this kind are not inherited: a worker that outlives its parent holds nothing.
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
