"""Which files of a run go to MLflow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def files_of(directory: Path) -> Iterator[tuple[Path, str | None]]:
    """Yield each file below a directory, by path, and the folder that it goes to; None is the top.

    What begins with a dot and what is a link is no part of a run.
    """
    for path in sorted(directory.rglob("*")):
        below = path.relative_to(directory)
        if any(part.startswith(".") for part in below.parts) or path.is_symlink() or not path.is_file():
            continue
        yield path, None if below.parent == Path() else below.parent.as_posix()
