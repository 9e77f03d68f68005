"""Indexes kept from one run to the next, under the digest of what they were built from."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import unicodedata
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.columns.digest import FORMAT
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.storage.manifest import FILE
from graphrag_pipeline.graph.storage.read import open_index, read_report
from graphrag_pipeline.graph.storage.write import write_index

logger = logging.getLogger(__name__)


def user_directory() -> Path:
    """Return where this user's indexes are kept, by the XDG base directory rules."""
    # The rules say that a relative path is to be ignored.
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "graphrag-pipeline" / "index"


class IndexCache:
    """Finds and keeps indexes by the digest of their source.

    Two processes may build the same index at once: both end well, and one of the two stays.

    Args:
        directory: Where they are kept, one directory each; it may be removed at any time.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def find(self, source_digest: str, source: str) -> LoadedGraph | None:
        """Return the index kept for a source, with the report on it; None when there is none that opens."""
        place = self._place(source_digest)
        try:
            if not (place / FILE).exists():
                return None
            # Nobody who uses a cache chose an index, so nobody would think of verifying it. Reading it once
            # costs about as much as the digest of the source that led here.
            return LoadedGraph(open_index(place, verify=True), read_report(place, source))
        except GraphSourceError as error:
            logger.warning("A cached index is of no use, the graph is compiled anew. %s", _one_line(error))
            return None
        except (OSError, ValueError):  # whether that matters is told when something should be kept there
            return None

    def keep(self, index: GraphIndex, report: SourceReport, source_digest: str) -> None:
        """Write an index for later runs; that it cannot be written is only worth a warning."""
        place = self._place(source_digest)
        try:
            if self._opens(place):
                return  # another process was quicker
            # Whatever is there is ours, and of no use.
            shutil.rmtree(place, ignore_errors=True)
            write_index(
                index.table,
                place,
                source=report.source,
                source_digest=source_digest,
                report=report.to_dict(),
            )
        except (GraphSourceError, OSError, ValueError) as error:
            logger.warning("The index is not cached; index.cache_dir=null ends this. %s", _one_line(error))

    def _opens(self, place: Path) -> bool:
        try:
            open_index(place, verify=True)
        except GraphSourceError:
            return False
        return True

    def _place(self, source_digest: str) -> Path:
        key = json.dumps([FORMAT, unicodedata.unidata_version, source_digest])
        return self._directory / hashlib.sha256(key.encode("utf-8")).hexdigest()[:32]


def _one_line(error: Exception) -> str:
    return f"{error.what} ({error.where})" if isinstance(error, GraphSourceError) else str(error)
