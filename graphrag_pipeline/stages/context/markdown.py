"""The context as a Markdown document: a heading a node, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import ClassVar

from pydantic import Field

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.body import cell, passages, shown
from graphrag_pipeline.stages.context.neutral import indented, markdown, markdown_item, name
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.context.relations import Relation, relations_among
from graphrag_pipeline.stages.context.units import Omission, Unit
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import ScoredNode


class MarkdownParams(PackedParams):
    """What stands under a heading."""

    level: int = Field(default=2, ge=1, le=6)
    """Level of the headings."""
    ids: bool = True
    """Write node ids."""
    properties: tuple[str, ...] = ()
    """Properties to write, by name; those a node does not have are left out."""
    text: bool = False
    """Write what the node says, as a quotation."""
    relations: int = Field(default=5, ge=0, le=1000)
    """Most edges to better nodes; 0 writes none."""
    header: str = ""
    """A line before the first heading."""


class Markdown(PackedAssembler[MarkdownParams]):
    """Under each node's label a list: type, id, cell, chosen properties, and edges to better nodes.

    Labels, values and edge types are escaped, so that they make no heading, list, link or HTML of their own;
    what a node says is a quotation, which holds its lines together.
    """

    name = "markdown"
    Params = MarkdownParams
    separator: ClassVar[str] = "\n\n"

    def header(self) -> str:
        """Return the line before the first heading."""
        return markdown_item(self.params.header)

    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield one entry for each node."""
        most = self.params.relations
        relations = relations_among(nodes, index) if most else [[] for _ in nodes]
        texts = passages(nodes, index) if self.params.text else repeat("", len(nodes))
        for rank, (node, edges, text) in enumerate(zip(nodes, relations, texts, strict=True)):
            lines = [f"{'#' * self.params.level} {_name(node)}", ""]
            lines += [f"- {markdown(key)}: {markdown(value)}" for key, value in self._facts(node, index)]
            lines += [f"- {_relation(nodes, edge)}" for edge in edges[:most]]
            if quoted := indented(text, "> "):
                lines += ["", quoted]
            yield Unit("\n".join(lines), (node.node_id,), rank, node.score)

    def _facts(self, node: ScoredNode, index: GraphIndex) -> Iterator[tuple[str, str]]:
        yield "type", node.node_type
        if self.params.ids:
            yield "id", node.node_id
        if coordinate := cell(node, index):
            yield "cell", coordinate
        if self.params.properties:
            has = node.node.properties
            yield from ((key, shown(has[key])) for key in self.params.properties if key in has)


def _name(node: ScoredNode) -> str:
    return markdown(name(node.label, node.node_id))


def _relation(nodes: Sequence[ScoredNode], edge: Relation) -> str:
    source, target = nodes[edge.source], nodes[edge.target]
    return (
        f"{markdown_item(name(source.label, source.node_id))} → {markdown(edge.edge_type)} → {_name(target)}"
    )
