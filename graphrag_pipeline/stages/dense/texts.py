"""Which text stands for a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.fields import Field, NodeText, node_texts
from graphrag_pipeline.graph.text.settings import TextSettings

FORMAT = 1
"""Grows when the same node and choice would give another text."""
STOPS = (".", "!", "?", ":", ";", "\u3002", "\uff01", "\uff1f")
"""How a text may end that needs no full stop before the next."""

Nodes: TypeAlias = Literal["all", "passages"]


@dataclass(frozen=True, slots=True)
class TextChoice:
    """Which texts of which nodes.

    Args:
        fields: The fields of a node that are joined, in order; those that are empty are left out.
        nodes: ``all``, or ``passages`` for the nodes that say something beyond their label.
    """

    fields: tuple[Field, ...] = ("label", "passage")
    nodes: Nodes = "all"

    def text(self, node: NodeText) -> str:
        """Return the text that stands for a node, or the empty text for none."""
        if self.nodes == "passages" and not node.passage:
            return ""
        whole = {"label": node.label, "type": node.type, "passage": node.passage}
        whole["aliases"] = ", ".join(node.aliases)
        # A node whose label is its text says it once.
        chosen = dict.fromkeys(whole[field].strip() for field in self.fields)
        joined = ""
        for text in filter(None, chosen):
            joined += text if not joined else f" {text}" if joined.endswith(STOPS) else f". {text}"
        return joined


@dataclass(frozen=True, slots=True)
class DistinctTexts:
    """The texts of a graph, each once.

    Args:
        texts: In the order of the first node that has each.
        row: For each node the place of its text, or -1.
    """

    texts: list[str]
    row: NDArray[np.int32]


def distinct_texts(index: GraphIndex, choice: TextChoice) -> DistinctTexts:
    """Read the texts that stand for the nodes of a graph; time is linear in the text."""
    place: dict[str, int] = {}
    row = np.full(index.node_count, -1, dtype=np.int32)
    for position, text in enumerate(_texts(index, choice)):
        if text:
            row[position] = place.setdefault(text, len(place))
    return DistinctTexts(list(place), row)


def _texts(index: GraphIndex, choice: TextChoice) -> Iterator[str]:
    settings = index.text_settings or TextSettings()
    return map(choice.text, node_texts(index.table.nodes, settings))
