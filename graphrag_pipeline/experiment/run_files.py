"""The files of a run whose content its manifest vouches for, and a seal for the manifest itself."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.recording import STEPS
from graphrag_pipeline.experiment.run_names import RANKING
from graphrag_pipeline.experiment.table_digest import table_digest
from graphrag_pipeline.tracking.jsonl import EVENTS

ROWS = "queries.csv"
PARQUET, TIMINGS, REPORT = "queries.parquet", "timings.json", "report.html"
SECONDS = "seconds"
CONTENT = (
    *("config.yaml", "failures.jsonl", "metrics.json", "qrels.txt"),
    *(ROWS, RANKING, STEPS),
)
"""Names of files that every run has, and that are the same whenever it is made."""
SEALED = (*CONTENT, PARQUET)
"""Names of the files that a manifest has digests of: rows as Parquet too, where they were written."""
TRACKER_FILES = "tracker_files"
"""The key of a manifest under which the names of files stand that trackers wrote, besides :data:`WRITTEN`."""
UNSEALED = ("seal", "trackers", TRACKER_FILES)
"""What is in a manifest besides what is sealed; trackers are heard of after it is written."""
WRITTEN = (*SEALED, TIMINGS, EVENTS, REPORT)
"""Names of the files that are written into the directory of a run, besides the manifest."""
BLOCK = 1 << 20


def file_digests(directory: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in :data:`SEALED` that is there.

    That of the rows is over all columns but ``seconds``, so that it is the same on each run.
    """
    found = {name: content_digest(directory / name) for name in SEALED if (directory / name).is_file()}
    return {name: digest for name, digest in found.items() if digest is not None}


def content_digest(path: Path) -> str | None:
    """Return the digest of one of them; None for rows as Parquet where nothing is installed to read them."""
    return table_digest(path, SECONDS) if path.name == PARQUET else file_digest(path)


def file_digest(path: Path) -> str:
    """Return the digest of any other file."""
    if path.name == ROWS:
        return hashlib.sha256(without_seconds(path.read_bytes())).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def without_seconds(content: bytes) -> bytes:
    """Return rows without the column of times; what is no such table comes back as it is."""
    text = content.decode("utf-8", "surrogateescape")
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        head = next(reader, [])
        if SECONDS not in head:
            return content
        at = head.index(SECONDS)
        rows = [head, *reader]
    except csv.Error:
        return content
    return json.dumps([row[:at] + row[at + 1 :] for row in rows]).encode("ascii")


# Any: JSON
def seal_of(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 over a manifest but for what is added later."""
    sealed = {key: value for key, value in manifest.items() if key not in UNSEALED}
    return hashlib.sha256(json.dumps(sealed, sort_keys=True).encode("ascii")).hexdigest()
