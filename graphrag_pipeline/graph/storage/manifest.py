"""What an index directory says of itself."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from graphrag_pipeline._version import __version__
from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.columns.digest import FORMAT

KIND = "graphrag_pipeline index"
FILE = "manifest.json"
DATA = "data-"
"""How the names of directories of arrays begin."""


@dataclass(frozen=True, slots=True)
class ArrayEntry:
    """One array file.

    Args:
        dtype: numpy's name of its type, with byte order.
        length: Entries.
        bytes: Size of the file.
        sha256: Digest of type, length and content.
    """

    dtype: str
    length: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything about an index but its arrays.

    Args:
        digest: Digest of the whole index.
        data: Name of the directory, beside the manifest, that holds the arrays.
        counts: ``nodes``, ``edges``, ``dangling_edges``.
        names: Distinct values of coded columns.
        arrays: Every array by name.
        source: What it was built from.
        source_digest: Digest of that, where the source has one.
        report: What was remarked while it was read, as a ``SourceReport`` writes it.
        format: Version of the format.
        unicode: Version of the Unicode tables that lower-cased the text.
        written_by: Version of this package.
    """

    digest: str
    data: str
    counts: Mapping[str, int]
    names: Mapping[str, list[str]]
    arrays: Mapping[str, ArrayEntry]
    source: str = ""
    source_digest: str = ""
    # Any: checked where it is read back.
    report: Mapping[str, Any] = field(default_factory=dict)
    format: int = FORMAT
    unicode: str = unicodedata.unidata_version
    written_by: str = field(default=__version__)

    def to_json(self) -> str:
        """Return the manifest file's text."""
        return json.dumps({"kind": KIND, **asdict(self)}, indent=1, ensure_ascii=True) + "\n"


def read_manifest(directory: Path) -> Manifest:
    """Read and check the manifest of an index directory.

    Raises:
        GraphSourceError: There is none, it is not ours, it is damaged, or of another version.
    """
    try:
        text = (directory / FILE).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise refusal(
            directory, f"{FILE} cannot be read ({getattr(error, 'strerror', None) or error})"
        ) from error
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or data.pop("kind", None) != KIND:
            raise refusal(directory, f"{FILE} is not that of an index")
        if data.get("format") != FORMAT:
            raise refusal(directory, f"it has format {data.get('format')}, this version reads {FORMAT}")
        arrays = {name: ArrayEntry(**entry) for name, entry in data.pop("arrays").items()}
        manifest = Manifest(arrays=arrays, **data)
        _check_types(manifest)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise refusal(directory, f"{FILE} is damaged ({type(error).__name__}: {error})") from error
    if manifest.unicode != unicodedata.unidata_version:
        raise refusal(
            directory,
            f"its text was lower-cased by Unicode {manifest.unicode}, "
            f"and this Python has {unicodedata.unidata_version}",
        )
    # A name with a slash, or `..`, would lead out of the directory.
    if not manifest.data.startswith(DATA) or any(
        "/" in name or "\\" in name for name in (manifest.data, *arrays)
    ):
        raise refusal(directory, f"{FILE} points outside the directory")
    return manifest


def _check_types(manifest: Manifest) -> None:
    texts = (manifest.digest, manifest.data, *(entry.dtype for entry in manifest.arrays.values()))
    counts = (
        *manifest.counts.values(),
        *(number for entry in manifest.arrays.values() for number in (entry.length, entry.bytes)),
    )
    names = [name for column in manifest.names.values() for name in column]
    if not all(type(text) is str for text in (*texts, *names)):
        raise TypeError("a text is none")
    if not all(type(count) is int for count in counts):
        raise TypeError("a count is none")
    if set(manifest.counts) != {"nodes", "edges", "dangling_edges"}:
        raise KeyError("counts")
    if not isinstance(manifest.report, dict):
        raise TypeError("the report is none")


def refusal(directory: Path, why: str) -> GraphSourceError:
    """Return the error for a directory that cannot be used as an index."""
    return GraphSourceError(
        f"This is no index that can be opened: {why}.",
        where=str(directory),
        hint="Build it anew: graphrag-pipeline index build … --output DIR.",
    )
