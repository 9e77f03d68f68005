"""Indexes kept from one run to the next, under the digest of what they were built from."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.columns.digest import FORMAT
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.storage.manifest import FILE
from graphrag_pipeline.graph.storage.read import open_index, read_report
from graphrag_pipeline.graph.storage.write import write_index

logger = logging.getLogger(__name__)


def user_directory() -> Path:
    """Return where this user's indexes are kept, by the XDG base directory rules."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "graphrag-pipeline" / "index"


class IndexCache:
    """Finds and keeps indexes by the digest of their source.

    Two processes may build the same index at once: both end well, and one of the two stays.

    Args:
        directory: Where they are kept, one directory each; it may be removed at any time.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def find(self, source_digest: str) -> tuple[GraphIndex, dict[str, Any]] | None:
        """Return the index kept for a source, with the remarks on it; None when there is none that opens."""
        place = self._place(source_digest)
        if not (place / FILE).exists():
            return None
        try:
            return open_index(place), read_report(place)
        except GraphSourceError as error:
            logger.warning("A cached index is built anew. %s (%s)", error.what, error.where)
            return None

    def keep(
        self, index: GraphIndex, source: str, source_digest: str, remarks: Mapping[str, Sequence[str]]
    ) -> None:
        """Write an index for later runs; that it cannot be written is only worth a warning."""
        place = self._place(source_digest)
        try:
            write_index(index.table, place, source=source, source_digest=source_digest, remarks=remarks)
        except GraphSourceError as error:
            logger.warning("The index is not cached. %s (%s)", error.what, error.where)

    def _place(self, source_digest: str) -> Path:
        key = json.dumps([FORMAT, unicodedata.unidata_version, source_digest])
        return self._directory / hashlib.sha256(key.encode("utf-8")).hexdigest()[:32]
