"""Writing an index so that nobody ever sees half of one."""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.digest import array_digest, digest_of
from graphrag_pipeline.graph.columns.layout import take_apart
from graphrag_pipeline.graph.columns.table import Table
from graphrag_pipeline.graph.columns.values import refuse_objects
from graphrag_pipeline.graph.storage.manifest import DATA, FILE, KIND, ArrayEntry, Manifest, read_manifest

BUILDING = ".building-"
STALE_SECONDS = 3_600.0
"""Data that no manifest points to is left alone for this long."""


def write_index(
    table: Table,
    directory: Path | str,
    *,
    source: str = "",
    source_digest: str = "",
    report: Mapping[str, Any] | None = None,
) -> Manifest:
    """Write an index directory, in place of an index that is there.

    The arrays go to a new directory under a temporary name, which is renamed; then the manifest that
    points to it replaces the old one, in one step. Readers of the old index go on undisturbed; two writers
    leave the index of the one that ended last.

    Args:
        table: The columns.
        directory: A new or empty directory, or an index.
        source: What it was built from, for people.
        source_digest: Digest of that.
        report: What was remarked on the source, as a ``SourceReport`` writes it.

    Raises:
        GraphSourceError: A property is no JSON data, the directory is something else, or it cannot be
            written; nothing of the new index is left behind.
    """
    refuse_objects(table.nodes.properties, lambda row: f"node {table.nodes.id[row]!r}")
    refuse_objects(table.edges.properties, lambda row: f"edge at position {row}")
    directory = Path(directory)
    layout = take_apart(table)
    with _explained(directory):
        _claim(directory)
        digests = {name: array_digest(array) for name, array in layout.arrays.items()}
        digest = digest_of(digests, layout)
        with _temporary(directory) as building:
            entries = {
                name: ArrayEntry(array.dtype.str, array.size, _save(building, name, array), digests[name])
                for name, array in layout.arrays.items()
            }
            # Every writer has a directory of its own: one of the same content may be in use.
            data = f"{DATA}{digest[:16]}-{building.name.removeprefix(BUILDING)}"
            building.rename(directory / data)
        manifest = Manifest(
            digest, data, layout.counts, layout.names, entries, source, source_digest, report or {}
        )
        before = _published(directory)
        _publish(directory, manifest)
        _sweep(directory, before, keep=data)
    return manifest


def _claim(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    kind = _kind(directory / FILE)
    known = (DATA, ".", FILE) if kind is None else (DATA, ".")
    if kind != KIND and any(not entry.name.startswith(known) for entry in directory.iterdir()):
        raise GraphSourceError(
            "The directory holds other things than an index.",
            where=str(directory),
            hint="Choose a new or an empty directory.",
        )


def _kind(file: Path) -> object:
    """Return what a manifest says it is the manifest of; None for a missing or damaged one."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data.get("kind", "") if isinstance(data, dict) else ""


@contextmanager
def _temporary(directory: Path) -> Iterator[Path]:
    # Not mkdtemp: what it makes only its owner can read, and an index is for whoever may read its directory.
    building = directory / f"{BUILDING}{uuid4().hex[:12]}.{os.getpid()}"
    building.mkdir()
    try:
        yield building
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _save(directory: Path, name: str, array: Array) -> int:
    path = directory / f"{name}.npy"
    with path.open("wb") as file:
        np.save(file, np.ascontiguousarray(array), allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def _publish(directory: Path, manifest: Manifest) -> None:
    draft = directory / f".manifest-{uuid4().hex[:12]}"
    try:
        with draft.open("x", encoding="ascii") as stream:
            stream.write(manifest.to_json())
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(directory / FILE)
    except BaseException:
        draft.unlink(missing_ok=True)
        shutil.rmtree(directory / manifest.data, ignore_errors=True)
        raise


def _published(directory: Path) -> str:
    """Return the name of the data that the manifest points to now, or the empty text."""
    try:
        return read_manifest(directory).data
    except GraphSourceError:
        return ""


def _sweep(directory: Path, before: str, keep: str) -> None:
    """Remove what the new index replaced, and what writers that died left behind long ago.

    Data of a writer that is about to publish must stay, so only old strangers are touched. What a
    reader has mapped lives on until it lets go.
    """
    long_ago = time.time() - STALE_SECONDS
    for entry in directory.iterdir():
        if not entry.name.startswith((DATA, BUILDING)) or entry.name == keep:
            continue
        with suppress(FileNotFoundError):  # another writer renamed or removed it meanwhile
            if entry.name == before or entry.stat().st_mtime < long_ago:
                shutil.rmtree(entry, ignore_errors=True)


@contextmanager
def _explained(directory: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise GraphSourceError(
            f"The index cannot be written: {getattr(error, 'strerror', None) or error}.",
            where=str(getattr(error, "filename", None) or directory),
            hint=f"{'Free some space, or choose' if full else 'Choose'} another directory with --output or "
            "index.cache_dir.",
        ) from error
