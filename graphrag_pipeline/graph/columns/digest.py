"""Digests of columns."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.layout import Layout, take_apart
from graphrag_pipeline.graph.columns.table import Table

FORMAT = 1
"""Version of the columns' meaning; it grows when the same graph would give other arrays."""


def table_digest(table: Table) -> str:
    """Return the digest of a table, the same whether it is in memory or on disk."""
    layout = take_apart(table)
    return digest_of({name: array_digest(array) for name, array in layout.arrays.items()}, layout)


def digest_of(digests: dict[str, str], layout: Layout) -> str:
    """Return the digest of a table from those of its arrays."""
    parts = {
        "format": FORMAT,
        "arrays": digests,
        "names": dict(layout.names),
        "counts": dict(layout.counts),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def array_digest(array: Array) -> str:
    """Return the SHA-256 of an array's type, length and bytes (little-endian)."""
    state = hashlib.sha256(f"{array.dtype.str} {array.size}\n".encode("ascii"))
    state.update(np.ascontiguousarray(array).data.cast("B"))
    return state.hexdigest()
