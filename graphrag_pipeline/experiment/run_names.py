"""What runs are called in results, and where their rankings are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from graphrag_pipeline.errors import DatasetError

RANKING = "run.trec"
"""The run file in a run's directory."""


def named_runs(paths: Sequence[str]) -> tuple[tuple[str, Path], ...]:
    """Return name and run file of each path, in order.

    A directory stands for its :data:`RANKING`, and gives it its name; else the name is that of the file
    without its suffix. Where two would have one name, every run is called by its path.

    Raises:
        DatasetError: A file is given twice.
    """
    files = [Path(path) / RANKING if Path(path).is_dir() else Path(path) for path in paths]
    for path, count in Counter(files).items():
        if count > 1:
            raise DatasetError(
                "A run is given twice.",
                where=str(path),
                hint="Give every run once; copy it to compare it with itself.",
            )
    names = [_name(file) for file in files]
    if len(set(names)) < len(names):
        names = list(paths)
    return tuple(zip(names, files, strict=True))


def _name(file: Path) -> str:
    return file.parent.name if file.name == RANKING and file.parent.name else file.stem
