"""Telling whether the manifest of a sweep is the one that was written; the store knows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.run_directory import MANIFEST
from graphrag_pipeline.experiment.sweep.results import STORE
from graphrag_pipeline.experiment.sweep.store_faults import ANEW
from graphrag_pipeline.experiment.sweep.store_reading import IDENTITY, about_of, reading


def refuse_altered_sweep(manifest: Mapping[str, Any], directory: Path) -> None:  # Any: JSON
    """Refuse a sweep whose manifest does not say of its inputs what the store says.

    The store has checksums of its own, of all rows and configs, which are compared when it is read.

    Args:
        manifest: Its manifest.
        directory: Where it is.

    Raises:
        DatasetError: The manifest was altered, or the store is missing or damaged.
    """
    path = directory / STORE
    with reading(path) as connection:
        known = about_of(connection, path, IDENTITY)
    if manifest.get("identity") != known:
        raise DatasetError(
            "The manifest is not as it was written.", where=str(directory / MANIFEST), hint=ANEW
        )
