"""Vectors in memory: computed once for a graph, shared by every stage that looks at it."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from weakref import WeakKeyDictionary, WeakValueDictionary

from graphrag_pipeline.graph.columns.digest import array_digest
from graphrag_pipeline.graph.columns.layout import take_apart
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.stages.dense.embedding import Embedding
from graphrag_pipeline.stages.dense.params import DenseParams
from graphrag_pipeline.stages.dense.texts import FORMAT, distinct_texts
from graphrag_pipeline.stages.dense.vectors import NodeVectors

logger = logging.getLogger(__name__)

CHOICES = 4
"""Ways of embedding one graph that are remembered: by embedder, and by which texts of which nodes."""


@dataclass(slots=True)
class _Remembered:
    """What is known of one graph."""

    lock: Lock = field(default_factory=Lock)
    content: str = ""
    vectors: OrderedDict[tuple[object, ...], NodeVectors] = field(default_factory=OrderedDict)


class VectorMemory:
    """Remembers vectors as long as the graph they belong to is in use; safe to share between threads.

    Two graphs with the same nodes, such as one with and one without further edges, share their vectors.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._graphs: WeakKeyDictionary[GraphIndex, _Remembered] = WeakKeyDictionary()
        self._by_content: WeakValueDictionary[str, NodeVectors] = WeakValueDictionary()

    def of(
        self, index: GraphIndex, embedding: Embedding, params: DenseParams, *, passing: bool = False
    ) -> NodeVectors:
        """Return the vectors of a graph's nodes, from memory, from disk, or from the embedder.

        Args:
            index: The graph.
            embedding: What makes vectors.
            params: Which texts become vectors, and where these are kept.
            passing: Whether the graph is gone after the query, so that nothing of it belongs on disk.
        """
        with self._lock:
            graph = self._graphs.setdefault(index, _Remembered())
        key = (embedding.identity, params.choice)
        with graph.lock:
            found = graph.vectors.get(key)
            if found is None:
                find = _computed if passing else partial(self._found, graph)
                found = find(index, embedding, params)
                graph.vectors[key] = found
                if len(graph.vectors) > CHOICES:
                    graph.vectors.popitem(last=False)
            graph.vectors.move_to_end(key)
            return found

    def _found(
        self, graph: _Remembered, index: GraphIndex, embedding: Embedding, params: DenseParams
    ) -> NodeVectors:
        graph.content = graph.content or _content(index)
        parts = [FORMAT, graph.content, embedding.identity, params.text, params.nodes]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        with self._lock:
            found = self._by_content.get(digest)
        cache = params.cache if found is None else None
        if found is None and cache:
            found = cache.find(digest, index.node_count)
        if found is None:
            started = time.perf_counter()
            found = _computed(index, embedding, params)
            if cache and time.perf_counter() - started >= params.cache_from_s:
                cache.keep(digest, found)
        with self._lock:
            return self._by_content.setdefault(digest, found)


def _computed(index: GraphIndex, embedding: Embedding, params: DenseParams) -> NodeVectors:
    distinct = distinct_texts(index, params.choice)
    if len(distinct.texts) > 1000:
        logger.info("%s makes vectors of %d texts.", embedding.name, len(distinct.texts))
    return NodeVectors(embedding.rows(distinct.texts), distinct.row)


def _content(index: GraphIndex) -> str:
    """Return the digest of everything that the text of a node may be made of; edges do not count."""
    layout = take_apart(index.table)
    settings = index.text_settings or TextSettings()
    columns = ("node.label", "node.type", "node.properties")
    digests = {name: array_digest(array) for name, array in layout.arrays.items() if name.startswith(columns)}
    parts = [digests, layout.names["node.type"], settings.alias_keys, settings.passage_keys]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


MEMORY = VectorMemory()
"""The memory of this process. What it holds is decided by its arguments alone, so it changes no result."""
