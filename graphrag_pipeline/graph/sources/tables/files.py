"""Which files of a folder hold a graph's tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError

LISTED = 12
ANY_ENDING = ".*"
PATTERN = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class TableFiles:
    """The files of one table.

    Args:
        name: What the table is called: its file's name without ending.
        paths: The files, in order; a folder or a pattern gives several.
    """

    name: str
    paths: tuple[Path, ...]


def table_files(
    folder: Path, names: str | Sequence[str] | None, endings: Sequence[str], default: str
) -> list[TableFiles]:
    """Find the files that the configuration names.

    Args:
        folder: Where they are.
        names: Files, folders of files, or patterns, relative to ``folder``; None means no table.
        endings: Endings that files of the format have, such as ``.csv``.
        default: The pattern that may fit nothing.

    Raises:
        GraphSourceError: A file is not there, or a pattern with any ending fits several.
    """
    if names is None:
        return []
    found = []
    for name in [names] if isinstance(names, str) else names:
        paths = _paths(folder, name, endings)
        if paths:
            found.append(TableFiles(_stem(name), paths))
        elif name != default:
            raise GraphSourceError(
                f"The folder has no table {name!r}.", where=str(folder), hint=listing(folder)
            )
    return found


def listing(folder: Path) -> str:
    """Return what a folder holds, for messages."""
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except (OSError, ValueError):
        return ""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"It has: {', '.join(names[:LISTED]) or 'nothing'}{more}."


def _paths(folder: Path, name: str, endings: Sequence[str]) -> tuple[Path, ...]:
    try:
        path = folder / name
        if path.is_dir():
            return _inside(path, endings)
        if path.exists() or not PATTERN.intersection(name):
            return (path,) if path.exists() else ()
        paths = tuple(sorted(folder.glob(name)))
    except (OSError, ValueError, NotImplementedError) as error:
        raise GraphSourceError(f"{name!r} names no file: {error}.", where=str(folder)) from error
    if not name.endswith(ANY_ENDING):
        return paths
    paths = tuple(path for path in paths if path.suffix.lower() in endings)
    if len(paths) > 1:
        raise GraphSourceError(
            f"Several files fit {name}: {', '.join(path.name for path in paths)}.",
            where=str(folder),
            hint=f"Say which one is meant: graph.{name.removesuffix(ANY_ENDING)}={paths[0].name}.",
        )
    return tuple(part for path in paths for part in (_inside(path, endings) if path.is_dir() else (path,)))


def _inside(folder: Path, endings: Sequence[str]) -> tuple[Path, ...]:
    """Return the parts of a table that a cluster wrote into a folder, without its own marks."""
    parts = [path for path in folder.iterdir() if path.suffix.lower() in endings and path.name[0] not in "._"]
    return tuple(sorted(parts))


def _stem(name: str) -> str:
    return Path(name).stem.strip("*?-_. ") or name
