"""A digest of the rows of a run as Parquet, over what they hold but times: it is the same on each run."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path

LARGEST = 50
"""Rows a byte of the file, at most: one that was made up may claim to have any number of them."""


def table_digest(path: Path, without: str) -> str | None:
    """Return the SHA-256 of a table's names, types and values but for one column; empty if it is no table.

    Args:
        path: The Parquet file.
        without: The column that is left out.

    Returns:
        The digest; None where the package pyarrow is not installed, which reads it.
    """
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        return None
    digest = hashlib.sha256()
    try:
        with parquet.ParquetFile(path) as file:
            if file.metadata.num_rows > LARGEST * path.stat().st_size:
                return ""
            table = file.read(use_threads=False)
        for field, column in zip(table.schema, table.columns, strict=True):
            if field.name != without:
                told = json.dumps([field.name, str(field.type), column.to_pylist()])
                digest.update(told.encode("ascii") + b"\n")
    except Exception:  # noqa: BLE001  # pyarrow raises children of many classes for a damaged file
        return ""
    return digest.hexdigest()
