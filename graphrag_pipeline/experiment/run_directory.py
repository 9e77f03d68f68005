"""The directory of a run: whole or not there."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.manifest import KIND
from graphrag_pipeline.experiment.run_files import TRACKER_FILES, WRITTEN

MANIFEST = "manifest.json"
BUILDING = ".building-"
LONGEST = 40
"""Characters of a run's name in a temporary one, which would else be longer than a name may be."""
LISTED = 5
"""Files that a message names."""
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""What the system says where nothing more can be written."""


def safe_name(name: str, otherwise: str) -> str:
    """Return a name that one directory may have, of at most 80 characters, or else the other one."""
    kept = "".join(c if c.isalnum() or c in "._-" else "-" for c in name).lstrip(".")
    return kept[:80] or otherwise


def refuse_existing(directory: Path, *, force: bool) -> None:
    """Refuse a directory that a run may not be written to; an empty one is as good as none.

    Raises:
        DatasetError: A run is there and ``force`` is not given, it holds files that no run has, or something
            else is there.
    """
    if not os.path.lexists(directory) or (directory.is_dir() and not any(directory.iterdir())):
        return
    about = manifest_of(directory)
    if about is None:
        raise DatasetError(
            "There is something else than a run.",
            where=str(directory),
            hint="Choose another directory: --output DIR. --force replaces runs only.",
        )
    if not force:
        raise DatasetError(
            "The run is there already.",
            where=str(directory),
            hint="--force makes it anew; --output DIR writes elsewhere.",
        )
    if strangers := _strangers(directory, about):
        more = f", … and {len(strangers) - LISTED} more" if len(strangers) > LISTED else ""
        raise DatasetError(
            f"The directory of the run holds what no run writes: {', '.join(strangers[:LISTED])}{more}.",
            where=str(directory),
            hint="--force would delete it: move it elsewhere, or choose another directory: --output DIR.",
        )


def manifest_of(directory: Path) -> Mapping[str, Any] | None:  # Any: JSON
    """Return the manifest of a run as it is found: empty where it is damaged, None where there is none."""
    if not (directory / MANIFEST).is_file():
        return None
    try:
        about = json.loads((directory / MANIFEST).read_bytes())
    except (ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) and about.get("kind") == KIND else None


def _strangers(directory: Path, about: Mapping[str, Any]) -> list[str]:  # Any: JSON
    """Return the names of what neither a run nor one of its trackers wrote into a directory, sorted."""
    told = about.get(TRACKER_FILES)
    ours = {*WRITTEN, MANIFEST, beside(MANIFEST), *(map(str, told) if isinstance(told, list) else ())}
    return sorted(entry.name for entry in directory.iterdir() if entry.name not in ours)


def beside(name: str) -> str:
    """Return the name of a file that is written and then takes the place of another one."""
    return f".{name}"


@contextmanager
def whole_directory(directory: Path, *, force: bool) -> Iterator[Path]:
    """Give a temporary directory beside the wanted one, which becomes it when the body ends well.

    When the body ends otherwise, nothing of it is left, and a run that was there before still is. A killed
    process leaves a directory whose name begins with a dot.

    Raises:
        DatasetError: Something came to be there in the meantime.
        OSError: It cannot be written: the disk is full.
    """
    if directory.is_symlink():  # what it leads to is replaced, not the link
        directory = Path(os.path.realpath(directory))
    directory.parent.mkdir(parents=True, exist_ok=True)
    mark = f"{BUILDING}{uuid4().hex[:12]}"
    name = directory.name[:LONGEST]
    building, old = (directory.parent / f".{name}{mark}{part}" for part in ("", "-old"))
    building.mkdir()
    try:
        yield building
        refuse_existing(directory, force=force)
        if directory.exists():
            directory.rename(old)
        try:
            building.rename(directory)
        except BaseException:
            if old.exists():
                old.rename(directory)
            raise
    except OSError as error:
        if error.errno not in UNWRITABLE and not str(error.filename or "").startswith(str(building)):
            raise
        # The temporary directory says nothing to users.
        told = f"{error.strerror}: the run {directory} cannot be written, and nothing of it is left"
        raise OSError(error.errno, told) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write_json(path: Path, value: Mapping[str, Any]) -> None:  # Any: JSON
    """Write JSON, two spaces a level, in UTF-8."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write text in UTF-8 with line ends of one byte; a lone surrogate is written as its escape."""
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
