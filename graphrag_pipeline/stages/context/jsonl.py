"""The context for programs: one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

from pydantic import Field

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.body import cell, passages, plain
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.context.relations import Relation, relations_among
from graphrag_pipeline.stages.context.units import Omission, Unit
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import ScoredNode

# JSON allows them raw, but many readers take them for the end of a line, and UTF-8 has no lone surrogates.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class JsonLinesParams(PackedParams):
    """What an object holds."""

    properties: tuple[str, ...] = ()
    """Properties to write, by name; those a node does not have are left out."""
    text: bool = False
    """Write what the node says, as ``text``."""
    relations: int = Field(default=5, ge=0, le=1000)
    """Most edges to better nodes, as ``relations``; 0 writes none."""


class JsonLines(PackedAssembler[JsonLinesParams]):
    """One object a node: ``id``, ``label``, ``type``, ``score``, and what it has of the rest.

    Each line is valid JSON by itself and no object holds a line break, so cutting between lines, which is
    all that happens, leaves valid lines.
    """

    name = "jsonl"
    Params = JsonLinesParams

    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield one entry for each node."""
        most = self.params.relations
        relations = relations_among(nodes, index) if most else [[] for _ in nodes]
        texts = passages(nodes, index) if self.params.text else repeat("", len(nodes))
        for rank, (node, edges, text) in enumerate(zip(nodes, relations, texts, strict=True)):
            data = self._data(node, text, index)
            if edges:
                data["relations"] = [_relation(nodes, edge) for edge in edges[:most]]
            yield Unit(json_line(data), (node.node_id,), rank, node.score)

    # Any: plain JSON data.
    def _data(self, node: ScoredNode, text: str, index: GraphIndex) -> dict[str, Any]:
        data: dict[str, Any] = {
            "id": node.node_id,
            "label": node.label,
            "type": node.node_type,
            "score": round(node.score, 4),
        }
        if coordinate := cell(node, index):
            data["cell"] = coordinate
        if text:
            data["text"] = text
        if self.params.properties:
            has = node.node.properties
            if chosen := {key: plain(has[key]) for key in self.params.properties if key in has}:
                data["properties"] = chosen
        return data


def json_line(data: Any) -> str:  # Any: plain JSON data
    """Return data as JSON on one line, whatever takes what for the end of a line."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _relation(nodes: Sequence[ScoredNode], edge: Relation) -> dict[str, str]:
    return {
        "source": nodes[edge.source].node_id,
        "type": edge.edge_type,
        "target": nodes[edge.target].node_id,
    }
