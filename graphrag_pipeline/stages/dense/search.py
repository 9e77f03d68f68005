"""The nodes nearest to a query: by looking at all of them, or by faiss in some cells only."""

from __future__ import annotations

import math
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.stages.dense.embedding import UnitRows
from graphrag_pipeline.stages.dense.vectors import DECIMALS, NodeVectors, cosines, rounded

TEXTS_PER_CELL = 39
"""Fewest texts of a cell that k-means is trained with, as faiss advises."""
SEED = 1234
"""Where k-means starts from."""


class Found(NamedTuple):
    """Nodes and their similarities, most similar first, ties in node order."""

    node: IntArray
    similarity: FloatArray


def nearest(vectors: NodeVectors, query: UnitRows, limit: int, least: float) -> Found:
    """Return the nodes nearest to a query, exactly; time is linear in the nodes.

    Args:
        vectors: The nodes.
        query: A row of length 1.
        limit: Most nodes to return.
        least: Least similarity.
    """
    if not len(vectors.unit):
        return Found(np.zeros(0, dtype=np.int64), np.zeros(0))
    similarity = cosines(vectors.unit, query)
    near = np.arange(similarity.size)
    if similarity.size > limit:
        # Each row stands for a node at least, so no row below the limit-th can be among the nodes returned.
        bar = np.partition(similarity, similarity.size - limit)[similarity.size - limit]
        near = np.flatnonzero(similarity >= bar - 2 * 10.0**-DECIMALS)
    return _nodes(vectors, near, rounded(similarity[near]), limit, least)


class CellSearch:
    """Approximate search: k-means puts texts into cells, and only those nearest to a query are looked at.

    Source: the inverted file of Jégou et al. 2011, "Product Quantization for Nearest Neighbor Search",
    without its compression, as faiss's ``IndexIVFFlat``. Similarities are computed again as :func:`nearest`
    does, so what is found has the same numbers in the same order; some of it may be missing.

    Args:
        vectors: The nodes.
        cells: How many cells; None means about √texts.
    """

    def __init__(self, vectors: NodeVectors, cells: int | None = None) -> None:
        self.vectors = vectors
        self._cells = cells
        self._lock = Lock()
        self._index: Any = None  # Any: faiss carries no types

    def nearest(self, query: UnitRows, limit: int, least: float, probe: int) -> Found:
        """Return nodes near to a query, found in the ``probe`` nearest cells; see :func:`nearest`."""
        unit = self.vectors.unit
        if len(unit) < 2 * TEXTS_PER_CELL:  # a single cell
            return nearest(self.vectors, query, limit, least)
        faiss = _faiss()
        with self._lock:
            if self._index is None:
                self._index = self._trained()
        chosen = faiss.SearchParametersIVF(nprobe=min(probe, self._index.nlist))
        _, rows = self._index.search(query[None, :], min(limit, len(unit)), params=chosen)
        near = np.sort(rows[0][rows[0] >= 0])
        return _nodes(self.vectors, near, rounded(cosines(unit[near], query)), limit, least)

    def _trained(self) -> Any:
        faiss = _faiss()
        unit = self.vectors.unit
        most = len(unit) // TEXTS_PER_CELL
        cells = min(self._cells or math.isqrt(len(unit)), most)
        index = faiss.IndexIVFFlat(
            faiss.IndexFlatIP(unit.shape[1]), unit.shape[1], cells, faiss.METRIC_INNER_PRODUCT
        )
        index.cp.seed = SEED
        index.train(unit)
        index.add(unit)
        return index


def need_faiss() -> None:
    """Check that faiss is installed.

    Raises:
        StageError: It is not; another search in its place would give other results.
    """
    if find_spec("faiss") is None:
        raise StageError(
            "the index ivf needs faiss, which cannot be imported",
            where="index: ivf",
            hint="pip install 'graphrag-pipeline[dense]', or index=flat, which is exact",
        )


def _faiss() -> Any:
    with catch_warnings():
        # What SWIG wraps is not as Python 3.12 would have it, and says so.
        simplefilter("ignore", DeprecationWarning)
        return import_module("faiss")


def _nodes(vectors: NodeVectors, near: IntArray, similarity: FloatArray, limit: int, least: float) -> Found:
    """Return the nodes of some rows: all nodes that share a text are as near."""
    by_row = np.full(len(vectors.unit) + 1, -np.inf)  # the last entry is for nodes without a text, row -1
    by_row[near] = similarity
    of_node = by_row[vectors.row]
    node = np.flatnonzero(of_node >= least)
    node = node[np.argsort(-of_node[node], kind="stable")][:limit]
    return Found(node, of_node[node])
