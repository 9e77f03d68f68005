"""How the best nodes were reached: whole paths from a seed, with the types of their edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.neutral import arrow, one_line, typed
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.context.units import Omission, Unit
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import PathStep, ScoredNode

INDENT = "  "


class PathsParams(PackedParams):
    """How paths are laid out."""

    layout: Literal["lines", "tree"] = "lines"
    """A line a path, where a path that begins another one is not repeated; or a line a node, below and to the
    right of the one before, so that a beginning that paths share stands once."""
    ids: bool = False
    """Write node ids beside labels and types."""
    header: str = ""
    """A line before the first path."""


@dataclass(frozen=True, slots=True)
class PathUnit(Unit):
    """A path as an entry.

    Args:
        path: Its nodes.
        shown: How each is written, with the edge before it.
    """

    path: tuple[PathStep, ...] = ()
    shown: tuple[str, ...] = ()


@dataclass(slots=True)
class _Branch:
    """A node of the tree that paths make, and what goes on from it, in rank order."""

    shown: str = ""
    children: dict[PathStep, _Branch] = field(default_factory=dict)

    def add(self, unit: PathUnit) -> None:
        branch = self
        for step, shown in zip(unit.path, unit.shown, strict=True):
            child = branch.children.get(step)
            if child is None:
                child = branch.children[step] = _Branch(shown)
            branch = child

    def walk(self) -> Iterator[tuple[list[str], bool]]:
        """Yield the way to each node, as it is written, depth first, and whether it goes on."""
        way: list[str] = []
        # A stack, as paths may be longer than calls may be nested.
        ahead = [(0, child) for child in reversed(self.children.values())]
        while ahead:
            depth, branch = ahead.pop()
            del way[depth:]
            way.append(branch.shown)
            yield way, bool(branch.children)
            ahead += [(depth + 1, child) for child in reversed(branch.children.values())]


class Paths(PackedAssembler[PathsParams]):
    """The path seed → … → node of each of the best nodes; a path is written whole or not at all.

    A node whose path a filter broke, and a bridge's node without one, is a path of one. In labels and types,
    ``-[``, ``]-`` and backslashes have a backslash before them.
    """

    name = "paths"
    Params = PathsParams

    def header(self) -> str:
        """Return the line before the first path."""
        return one_line(self.params.header)

    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield one entry for each node: its path."""
        known: dict[tuple[PathStep, bool], str] = {}
        for rank, node in enumerate(nodes):
            path = node.path()
            shown = tuple(self._shown(step, place == 0, known) for place, step in enumerate(path))
            ids = tuple(dict.fromkeys(step.node_id for step in path))
            # Two nodes of one label and type are two paths, even where ids are not written.
            yield PathUnit("".join(shown), ids, rank, node.score, same=path, path=path, shown=shown)

    def render(self, units: Sequence[Unit]) -> str:
        """Return the paths, each with those that begin it merged into it."""
        root = _Branch()
        for unit in units:
            if isinstance(unit, PathUnit):
                root.add(unit)
        if self.params.layout == "tree":
            lines = [INDENT * (len(way) - 1) + way[-1].lstrip() for way, _ in root.walk()]
        else:
            lines = ["".join(way) for way, goes_on in root.walk() if not goes_on]
        head = self.header()
        return self.separator.join([*([head] if head else []), *lines])

    def _shown(self, step: PathStep, first: bool, known: dict[tuple[PathStep, bool], str]) -> str:
        text = known.get((step, first))
        if text is None:
            text = typed(step, self.params.ids)
            text = known[step, first] = text if first else arrow(step.edge_type, step.forward) + text
        return text
