"""Answers and inputs as plain text, so that two of them can be compared to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.graph.columns.digest import table_digest
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.stages.scored import ScoredNode


def plain(value: object) -> str:
    """Return a value as text: equal for equal values, types and order included.

    A set is written in the order it is iterated in, which is the point. An object that is none of the kinds
    that components are given or give is written as its ``repr``.
    """
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value)
    if is_dataclass(value) and not isinstance(value, type):
        told = ", ".join(f"{field.name}={plain(getattr(value, field.name))}" for field in fields(value))
        return f"{type(value).__name__}({told})"
    return repr(value)


# Any: arrays of every type.
def _array(value: NDArray[Any]) -> str:
    return f"array {value.dtype} {value.shape} {value.tolist()!r}"


def _index(value: GraphIndex) -> str:
    # Not index.digest, which is remembered: what was changed since must be seen.
    return f"graph {table_digest(value.table)}"


def _mapping(value: Mapping[object, object]) -> str:
    return f"{{{', '.join(f'{plain(key)}: {plain(entry)}' for key, entry in value.items())}}}"


def _listed(value: Iterable[object]) -> str:
    return f"{type(value).__name__}[{', '.join(map(plain, value))}]"


# Any: each function takes what its kind is.
_WRITERS: tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...] = (
    ((str, bytes), repr),
    (np.ndarray, _array),
    (GraphIndex, _index),
    (KnowledgeGraph, lambda graph: _index(GraphIndex.from_graph(graph))),
    (ScoredNode, lambda scored: f"scored {scored.node_id!r} {scored.score!r}"),
    (PersonaRegistry, lambda registry: f"personas {_listed(registry)} {registry.skipped!r}"),
    (Path, lambda path: path.name),  # the folder of a check has another name each time
    (Mapping, _mapping),
    ((Sequence, set, frozenset), _listed),
)
