"""Edges that a graph's own text implies, added when the graph is compiled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import BoolArray
from graphrag_pipeline.graph.text.salience import HALF, adjacency_entries
from graphrag_pipeline.graph.text.text_index import TextIndex
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.records import KnowledgeEdge

MENTION, SAME_NAME, ABOUT = "link:mention", "link:same_name", "link:about"
"""Types of the edges that are added."""
NAMESPACE = "link"


class LinkSettings(Params):
    """Which edges are added: the config's ``links`` section."""

    mention: bool = False
    """From a node that says something to each node whose name stands in that: ``link:mention``."""
    same_name: bool = False
    """Between nodes that share a name of two or more words: ``link:same_name``."""
    about: bool = False
    """Between a node that says something and one that does not, with one label: ``link:about``."""
    max_texts: int = Field(default=300, ge=1)
    """A name that stands in more texts than this is no mention: it says too little."""
    max_owners: int = Field(default=5, ge=1)
    """A name that more nodes have than this is no mention: it could be any of them."""
    max_same_name: int = Field(default=3, ge=2)
    """A name that more nodes have than this joins none of them."""

    @property
    def any(self) -> bool:
        """Whether there is anything to add."""
        return self.mention or self.same_name or self.about


def link_edges(text: TextIndex, settings: LinkSettings) -> Iterator[KnowledgeEdge]:
    """Yield the edges to add: about, same name, mentions; each in node order.

    Two nodes that are next to each other already get no link, and of two links between two nodes only the
    first is added. A link's weight is 1, and a mention's ``properties`` hold its ``salience``.
    """
    seen: set[tuple[int, int]] = set()
    parts = (
        (settings.about, ABOUT, _about(text)),
        (settings.same_name, SAME_NAME, _same_name(text, settings)),
        (settings.mention, MENTION, _mentions(text, settings)),
    )
    ids = text.table.nodes.id
    for wanted, edge_type, pairs in parts:
        for source, target, salience in _new(pairs, text, seen) if wanted else ():
            properties = {} if salience is None else {"salience": salience}
            yield KnowledgeEdge(ids[source], ids[target], edge_type, NAMESPACE, 1.0, properties)


Pair = tuple[int, int, float | None]


def _new(pairs: Iterator[Pair], text: TextIndex, seen: set[tuple[int, int]]) -> Iterator[Pair]:
    found = list(pairs)
    ends = np.array([pair[:2] for pair in found], dtype=np.int64).reshape(-1, 2)
    apart = adjacency_entries(text.table, ends[:, 0], ends[:, 1]) < 0
    for (source, target, salience), fresh in zip(found, apart.tolist(), strict=True):
        key = (min(source, target), max(source, target))
        if fresh and source != target and key not in seen:
            seen.add(key)
            yield source, target, salience


def _about(text: TextIndex) -> Iterator[Pair]:
    says = text.postings.length[-1] > 0
    by_label: dict[str, list[int]] = {}
    for node, label in enumerate(text.table.nodes.label):
        if label.strip():
            by_label.setdefault(label.strip().casefold(), []).append(node)
    for nodes in by_label.values():
        texts, things = [n for n in nodes if says[n]], [n for n in nodes if not says[n]]
        if len(texts) == 1 and len(things) == 1:
            yield texts[0], things[0], None


def _same_name(text: TextIndex, settings: LinkSettings) -> Iterator[Pair]:
    surfaces = text.surfaces
    owners = np.diff(surfaces.start)
    for place in np.flatnonzero((owners >= 2) & (owners <= settings.max_same_name)).tolist():
        if " " in surfaces.names[place]:
            nodes = surfaces.owners(place)[0].tolist()
            for at, source in enumerate(nodes):
                for target in nodes[at + 1 :]:
                    yield source, target, None


def _mentions(text: TextIndex, settings: LinkSettings) -> Iterator[Pair]:
    found = text.names_in_texts
    owners = np.diff(text.surfaces.start)
    texts = np.bincount(found.place, minlength=owners.size)
    telling = (texts <= settings.max_texts) & (owners <= settings.max_owners)
    chosen = np.flatnonzero(telling[found.place] & (found.capital | _long(text)[found.place]))
    row, owner = found.owned(text, chosen)
    salience = np.round(1.0 / (1.0 + found.start[row] / HALF), 6)
    yield from zip(found.node[row].tolist(), owner.tolist(), salience.tolist(), strict=True)


def _long(text: TextIndex) -> BoolArray:
    """Tell of each name whether it has two or more words."""
    spaced: BoolArray = np.fromiter(
        (" " in name for name in text.surfaces.names), np.bool_, len(text.surfaces.names)
    )
    return spaced
