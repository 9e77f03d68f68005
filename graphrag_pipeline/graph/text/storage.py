"""Text indexes kept from one run to the next, under the digest of the graph and of the settings."""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import unicodedata
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np

from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.table import Table
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.text.postings import Postings
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.graph.text.surfaces import Surfaces
from graphrag_pipeline.graph.text.text_index import TextIndex

logger = logging.getLogger(__name__)

FORMAT = 2
"""Version of the analysis and of the arrays; it grows when the same text would give others."""


def text_key(index_digest: str, settings: TextSettings) -> str:
    """Return the digest of everything that a text index depends on."""
    parts = [
        FORMAT,
        unicodedata.unidata_version,
        _stemmer_version(settings),
        index_digest,
        settings.model_dump(),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8")).hexdigest()


def _stemmer_version(settings: TextSettings) -> str:
    if settings.analysis.stemmer == "none":
        return ""
    from importlib.metadata import version

    return version("snowballstemmer")


@dataclass(frozen=True, slots=True)
class TextCache:
    """Finds and keeps text indexes in one directory, a file each; it may be removed at any time.

    Args:
        directory: Where they are.
        from_nodes: Graphs with fewer nodes are analysed as quickly as they are found.
    """

    directory: Path
    from_nodes: int

    def find(self, table: Table, index_digest: str, settings: TextSettings) -> TextIndex | None:
        """Return the text index that was kept; None when there is none that is whole."""
        place = self._place(index_digest, settings)
        try:
            # np.load leaves a file open that it cannot read.
            with place.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            return _put_together(arrays, table, settings)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile) as error:
            logger.warning(
                "A kept text index is of no use, the text is analysed anew: %s: %s", place.name, error
            )
            return None

    def keep(self, text: TextIndex, index_digest: str) -> None:
        """Write a text index for later runs; that it cannot be written is only worth a warning."""
        if text.table.node_count < self.from_nodes:
            return
        place = self._place(index_digest, text.settings)
        draft = place.with_name(f".{uuid4().hex[:12]}.{os.getpid()}")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            buffer = io.BytesIO()
            np.savez(buffer, **_take_apart(text))  # type: ignore[arg-type]  # its stubs mix up a flag and the arrays
            draft.write_bytes(buffer.getbuffer())
            draft.replace(place)
        except (OSError, ValueError) as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            logger.warning("The text index is not kept; index.cache_dir=null ends this: %s", error)

    def _place(self, index_digest: str, settings: TextSettings) -> Path:
        return self.directory / f"{text_key(index_digest, settings)[:32]}.npz"


def _take_apart(text: TextIndex) -> dict[str, Array]:
    postings, surfaces = text.postings, text.surfaces
    return {
        "terms": _bytes(postings.terms),
        "terms_start": postings.terms.start,
        "start": postings.start,
        "node": postings.node,
        "count": postings.count,
        "length": postings.length,
        "names": _bytes(surfaces.names),
        "names_start": surfaces.names.start,
        "owners_start": surfaces.start,
        "owner": surfaces.node,
        "weight": surfaces.weight,
        "salience": text.salience,
    }


def _put_together(arrays: Mapping[str, Array], table: Table, settings: TextSettings) -> TextIndex:
    postings = Postings(
        TextColumn(arrays["terms"].tobytes(), arrays["terms_start"]),
        arrays["start"],
        arrays["node"],
        arrays["count"],
        arrays["length"],
    )
    surfaces = Surfaces(
        TextColumn(arrays["names"].tobytes(), arrays["names_start"]),
        arrays["owners_start"],
        arrays["owner"],
        arrays["weight"],
    )
    salience = arrays["salience"]
    if postings.node_count != table.node_count or salience.size != table.edge_count:
        raise ValueError("it is of another graph")
    return TextIndex(table, settings, postings, surfaces, salience)


def _bytes(column: TextColumn) -> Array:
    return np.frombuffer(bytes(column.blob), dtype=np.uint8)
