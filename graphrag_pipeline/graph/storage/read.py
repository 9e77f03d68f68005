"""Opening an index by mapping its files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.digest import array_digest, digest_of
from graphrag_pipeline.graph.columns.layout import Layout, put_together
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import SourceReport
from graphrag_pipeline.graph.storage.manifest import FILE, ArrayEntry, Manifest, read_manifest, refusal


def open_index(directory: Path | str, *, verify: bool = False) -> GraphIndex:
    """Open an index directory; the files are mapped, so this takes milliseconds whatever their size.

    Args:
        directory: The directory.
        verify: Whether to read every byte and compare digests.

    Raises:
        GraphSourceError: It is no index, of another version, truncated, or with ``verify`` changed.
    """
    directory = Path(directory)
    manifest, layout = _layout(directory)
    if verify:
        _verify(directory, manifest, layout)
    return GraphIndex(put_together(layout), manifest.digest, str(directory.resolve()))


def read_report(directory: Path, source: str) -> SourceReport:
    """Return what was remarked on the source when the index was built.

    Args:
        directory: The index.
        source: What the report is to call its source.

    Raises:
        GraphSourceError: It is no index.
    """
    report = read_manifest(directory).report
    try:
        return SourceReport.from_dict(source, report) if report else SourceReport(source)
    except (TypeError, KeyError, AttributeError) as error:
        raise refusal(directory, f"{FILE} is damaged ({type(error).__name__}: {error})") from error


def _layout(directory: Path) -> tuple[Manifest, Layout]:
    manifest = read_manifest(directory)
    while True:
        try:
            return manifest, _map(directory, manifest)
        except GraphSourceError:
            # A writer may have replaced the index since its manifest was read, even several times.
            if (again := read_manifest(directory)).data == manifest.data:
                raise
            manifest = again


def _map(directory: Path, manifest: Manifest) -> Layout:
    arrays = {name: _array(directory, manifest, name, entry) for name, entry in manifest.arrays.items()}
    try:
        layout = Layout(arrays, manifest.names, manifest.counts)
        # Cheap, and it covers what no array's digest does: names, counts, and the digests themselves.
        if (
            digest_of({name: entry.sha256 for name, entry in manifest.arrays.items()}, layout)
            != manifest.digest
        ):
            raise refusal(directory, "its manifest was changed after it was written")
        for name, blob in arrays.items():
            column, _, part = name.rpartition(".")
            if part == "blob" and int(arrays[f"{column}.start"][-1]) != blob.size:
                raise refusal(directory, f"the parts of {column} do not fit together")
        put_together(layout)
    except (KeyError, IndexError) as error:
        raise refusal(directory, f"the array {error} is missing") from error
    return layout


def _array(directory: Path, manifest: Manifest, name: str, entry: ArrayEntry) -> Array:
    path = directory / manifest.data / f"{name}.npy"
    try:
        size = path.stat().st_size
        if size != entry.bytes:
            raise refusal(directory, f"{name}.npy has {size} bytes and not {entry.bytes}")
        # An empty file cannot be mapped.
        array = np.load(path, mmap_mode="r" if entry.length else None, allow_pickle=False)
    except OSError as error:
        raise refusal(directory, f"{name}.npy cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise refusal(directory, f"{name}.npy is damaged ({error})") from error
    if array.dtype.str != entry.dtype or array.shape != (entry.length,):
        raise refusal(directory, f"{name}.npy holds {array.dtype.str} {array.shape}")
    # A plain view: reading single entries through numpy's own memmap class is several times slower.
    return np.asarray(array)


def _verify(directory: Path, manifest: Manifest, layout: Layout) -> None:
    digests = {name: array_digest(array) for name, array in layout.arrays.items()}
    for name, entry in manifest.arrays.items():
        if digests[name] != entry.sha256:
            raise refusal(directory, f"{name}.npy was changed after it was written")
    if digest_of(digests, layout) != manifest.digest:
        raise refusal(directory, "the manifest was changed after it was written")
