"""Seeds from any object with ``retrieve(text, k)``, such as a vector store's retriever."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed
from graphrag_pipeline.stages.seeds.label import match_labels

logger = logging.getLogger(__name__)

ID_KEYS = ("chunk_id", "node_id", "id", "doc_id")
TEXT_KEYS = ("text", "content", "page_content")


class Retriever(Protocol):
    """What a caller's retriever must have."""

    # Any: retrievers return hits of many shapes; see read_hit.
    def retrieve(self, text: str, k: int) -> Any:
        """Return hits, best first."""
        ...


class RetrieverSeedsParams(Params):
    """Retriever seeds take no parameters; the retriever itself is handed over in Python."""


class RetrieverSeeds(Component[RetrieverSeedsParams]):
    """Seeds from a retriever's hits; label matching when it raises or finds nothing.

    Args:
        params: None needed.
        retriever: The object to ask. A configuration can name this component, but only Python code can
            hand over the object: ``load_pipeline(..., stages={"seed": RetrieverSeeds(retriever=r)})``.
    """

    name = "retriever"
    Params = RetrieverSeedsParams

    def __init__(
        self, params: RetrieverSeedsParams | None = None, retriever: Retriever | None = None
    ) -> None:
        super().__init__(params)
        if retriever is None:
            raise StageError(
                "it needs a retriever object, which no YAML can hold",
                where="seed.use",
                hint='load_pipeline([...], stages={"seed": RetrieverSeeds(retriever=my_retriever)})',
            )
        self.retriever = retriever

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return the nodes of the hits in order, at most ``k``.

        A hit whose id is a node gives that node; any other hit gives the nodes its text names.
        """
        seeds: dict[int, None] = {}
        hits = self._hits(query.text, k)
        for node_id, text in hits:
            position = None if node_id is None else index.position(node_id)
            for match in match_labels(text, index, k + len(seeds)) if position is None else (position,):
                seeds.setdefault(match)
            if len(seeds) >= k:
                break
        if hits and not seeds:
            logger.warning("None of the retriever's %d hits names a node; label matching goes on.", len(hits))
        positions = list(seeds) or match_labels(query.text, index, k)
        return [Seed(index.ids[position], 1.0) for position in positions[:k]]

    def _hits(self, text: str, k: int) -> list[tuple[str | None, str]]:
        try:
            raw = list(self.retriever.retrieve(text, k=k))
        except Exception as error:  # noqa: BLE001  # the reference falls back to labels whatever a retriever raises
            logger.warning(
                "The retriever failed (%s: %s); label matching goes on.", type(error).__name__, error
            )
            return []
        hits = [hit for hit in map(read_hit, raw) if hit is not None]
        if len(hits) < len(raw):
            logger.warning(
                "%d of %d hits of the retriever had neither id nor text.", len(raw) - len(hits), len(raw)
            )
        return hits


def read_hit(hit: object) -> tuple[str | None, str] | None:
    """Read id and text from a hit of any common shape; None when it has neither.

    Known shapes: an object with ``chunk`` (the reference's), an object or mapping with one of
    :data:`ID_KEYS` and one of :data:`TEXT_KEYS`, a text or number that is the id, or a sequence that
    starts with any of these, such as ``(id, score)``, ``(id, score, text)`` and ``(document, score)``.
    """
    if isinstance(hit, tuple | list):
        first = read_hit(hit[0]) if hit and not isinstance(hit[0], tuple | list) else None
        if len(hit) > 2 and isinstance(hit[2], str) and (first is not None or hit[0] is None):
            return (None if first is None else first[0]), hit[2]
        return first
    if isinstance(hit, str | int):
        return str(hit), ""
    record = _get(hit, "chunk") or hit
    node_id, text = _first(record, ID_KEYS), _first(record, TEXT_KEYS)
    if node_id is None and not isinstance(text, str):
        return None
    return (None if node_id is None else str(node_id)), (text if isinstance(text, str) else "")


def _first(record: object, keys: Sequence[str]) -> object:
    return next((value for value in (_get(record, key) for key in keys) if value is not None), None)


def _get(record: object, key: str) -> object:
    return record.get(key) if isinstance(record, Mapping) else getattr(record, key, None)
