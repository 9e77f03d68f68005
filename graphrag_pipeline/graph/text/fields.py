"""The texts of a node, by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from graphrag_pipeline.graph.columns.table import NodeColumns
from graphrag_pipeline.graph.text.settings import TextSettings

Field: TypeAlias = Literal["label", "aliases", "type", "passage"]
FIELDS: tuple[Field, ...] = get_args(Field)
"""The fields of a node, in the order of the columns of postings."""

CHUNK = 4096


@dataclass(frozen=True, slots=True)
class NodeText:
    """What is written in one node."""

    label: str
    aliases: tuple[str, ...]
    type: str
    passage: str

    @property
    def fields(self) -> tuple[str, str, str, str]:
        """One text a field, in the order of :data:`FIELDS`."""
        return (self.label, "\n".join(self.aliases), self.type, self.passage)


def node_texts(nodes: NodeColumns, settings: TextSettings) -> Iterator[NodeText]:
    """Yield the texts of every node, in node order."""
    for start in range(0, len(nodes.id), CHUNK):
        rows = np.arange(start, min(start + CHUNK, len(nodes.id)))
        columns = (nodes.label.many(rows), nodes.type.many(rows), nodes.properties.many(rows))
        for label, kind, properties in zip(*columns, strict=True):
            yield NodeText(label, aliases_in(properties, settings), kind, passage_in(properties, settings))


# Any throughout: properties hold whatever a graph holds.
def passage_in(properties: Mapping[str, Any], settings: TextSettings) -> str:
    """Return what a node says: the first of the passage keys that is a text."""
    for key in settings.passage_keys:
        value = properties.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def aliases_in(properties: Mapping[str, Any], settings: TextSettings) -> tuple[str, ...]:
    """Return other names of a node, each once, in order."""
    found: dict[str, None] = {}
    for key in settings.alias_keys:
        found.update(dict.fromkeys(_texts(properties.get(key))))
    return tuple(found)


def _texts(value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list | tuple):
        return [entry for entry in value if isinstance(entry, str) and entry.strip()]
    return []
