"""The ids of the nodes that a run met, as bytes: by runs of positions, which are cheap to copy."""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray
from graphrag_pipeline.graph.columns.text import ENCODING, ERRORS
from graphrag_pipeline.graph.index import GraphIndex

GAP = 16
"""Nodes that nobody met are named, too, where they stand between two others that are no farther apart."""
TAIL = Struct("<QQQ")
"""What the bytes end with: how many runs, nodes and bytes of ids there are."""


def names_of(index: GraphIndex, met: BoolArray) -> bytes:
    """Return the ids of nodes: first position and size of each run, bytes of each id, ids, and the tail.

    Args:
        index: The graph.
        met: Whether a node was met, by position.
    """
    nodes = np.flatnonzero(met)
    column = index.table.nodes.id
    breaks = np.flatnonzero(np.diff(nodes) > GAP)
    firsts = nodes[np.concatenate([[0], breaks + 1])] if nodes.size else nodes
    ends = nodes[np.concatenate([breaks, [-1]])] + 1 if nodes.size else nodes
    starts = [
        column.start[first : end + 1] for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)
    ]
    lengths = [np.diff(start.astype(np.int64)) for start in starts]
    blobs = [column.blob[int(start[0]) : int(start[-1])] for start in starts]
    sizes = ends - firsts
    tail = TAIL.pack(firsts.size, int(sizes.sum()), sum(map(len, blobs)))
    numbers = (firsts.astype("<i8"), sizes.astype("<i8"), *(length.astype("<u4") for length in lengths))
    return b"".join([*(column.tobytes() for column in numbers), *blobs, tail])


def size_of_names(tail: bytes) -> int:
    """Return how many bytes are before the tail."""
    runs, nodes, size = map(int, TAIL.unpack(tail))
    return 16 * runs + 4 * nodes + size


def read_names(content: bytes, tail: bytes) -> Mapping[int, str]:
    """Return ids by position.

    Raises:
        ValueError: The bytes are something else.
    """
    runs, nodes, size = TAIL.unpack(tail)
    firsts, sizes = np.frombuffer(content, "<i8", 2 * runs).reshape(2, -1)
    lengths = np.frombuffer(content, "<u4", nodes, offset=16 * runs)
    ends = np.cumsum(lengths, dtype=np.int64)
    if (sizes < 0).any() or (sizes > nodes).any() or int(sizes.sum()) != nodes or int(lengths.sum()) != size:
        raise ValueError("the names of nodes do not fit together")
    positions = np.arange(nodes) + np.repeat(firsts - (np.cumsum(sizes) - sizes), sizes)
    blob = content[16 * runs + 4 * nodes :]
    bounds = zip([0, *ends[:-1].tolist()], ends.tolist(), strict=False)
    ids = [blob[start:end].decode(ENCODING, ERRORS) for start, end in bounds]
    return dict(zip(positions.tolist(), ids, strict=True))
