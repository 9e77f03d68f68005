"""From a bridge's raw answer to extras, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.stages.candidates import Extras

Record = TypeVar("Record", KnowledgeNode, KnowledgeEdge)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer was worth.

    Args:
        extras: What is new in it.
        skipped: Malformed parts, one line each with place and cause.
    """

    extras: Extras
    skipped: tuple[str, ...]


def read_answer(
    raw: object,
    known_nodes: Container[str],
    known_edges: Container[tuple[str, str, str]],
    extra_score: float,
) -> Answer:
    """Read ``nodes``, ``edges`` and ``paths`` from a raw answer.

    A node is new when its id is neither a candidate's nor an earlier entry's; an edge, when no candidate
    edge and no earlier entry has its source, target and type. Every non-empty path counts.

    Args:
        raw: What the bridge returned; anything but a mapping is worth nothing.
        known_nodes: Ids of the candidates and earlier extras.
        known_edges: Source, target and type of the edges that are there.
        extra_score: Score of each new node.
    """
    if not isinstance(raw, Mapping):
        return Answer(Extras(), (f"the answer is no mapping but {type(raw).__name__}",))
    skipped: list[str] = []
    nodes: dict[str, KnowledgeNode] = {}
    for node in _records(raw, "nodes", KnowledgeNode.from_dict, skipped):
        if node.node_id not in known_nodes:
            nodes.setdefault(node.node_id, node)
    edges: dict[tuple[str, str, str], KnowledgeEdge] = {}
    for edge in _records(raw, "edges", KnowledgeEdge.from_dict, skipped):
        if edge.key not in known_edges:
            edges.setdefault(edge.key, edge)
    extras = Extras(
        nodes=tuple(nodes.values()),
        edges=tuple(edges.values()),
        paths=tuple(_paths(raw, skipped)),
        score=np.full(len(nodes), extra_score),
    )
    return Answer(extras, tuple(skipped))


def _records(
    raw: Mapping[object, object], key: str, reader: Callable[[object], Record], skipped: list[str]
) -> Iterator[Record]:
    for place, entry in _entries(raw, key, skipped):
        try:
            yield reader(entry)
        except GraphSourceError as error:
            skipped.append(f"{place}: {error.what}")


def _paths(raw: Mapping[object, object], skipped: list[str]) -> Iterator[tuple[str, ...]]:
    for place, entry in _entries(raw, "paths", skipped):
        if not isinstance(entry, list | tuple):
            skipped.append(f"{place}: A path must be a list of node ids, not {type(entry).__name__}.")
        elif entry:
            yield tuple(str(node_id) for node_id in entry)


def _entries(raw: Mapping[object, object], key: str, skipped: list[str]) -> Iterator[tuple[str, object]]:
    entries = raw.get(key, ())
    if not isinstance(entries, list | tuple):
        skipped.append(f"{key}: must be a list, not {type(entries).__name__}")
        return
    for number, entry in enumerate(entries):
        yield f"{key}[{number}]", entry
