"""Which names stand in what nodes say, and where."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphrag_pipeline.graph.arrays import Array, BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.columns.table import Table

if TYPE_CHECKING:
    from graphrag_pipeline.graph.text.text_index import TextIndex

HALF = 40.0
"""Words into a text at which a mention counts half."""


@dataclass(frozen=True, slots=True)
class NamesInTexts:
    """The names that stand in texts, each once a text, by node, then in the order of the text.

    Args:
        node: The node that says something.
        place: Place of the name.
        start: The name's first word in it.
        capital: Whether one of its words is written with a capital.
    """

    node: IntArray
    place: IntArray
    start: IntArray
    capital: BoolArray

    @classmethod
    def scan(cls, text: TextIndex) -> NamesInTexts:
        """Read every text once; every name counts, also one within another."""
        columns = array("i"), array("i"), array("i"), array("b")
        says = np.flatnonzero(text.postings.length[-1] > 0)
        for node, passage in zip(says.tolist(), text.passages(says), strict=True):
            words = text.analysis.words(passage)
            seen: set[int] = set()
            for match in text.surfaces.matches([word.text for word in words]):
                if match.place in seen:
                    continue
                seen.add(match.place)
                capital = any(word.capital for word in words[match.start : match.end])
                for column, value in zip(columns, (node, match.place, match.start, capital), strict=True):
                    column.append(value)
        node_of, place, start, cased = (np.array(column, dtype=np.int64) for column in columns)
        return cls(node_of, place, start, cased.astype(np.bool_))

    def owned(self, text: TextIndex, chosen: IntArray) -> tuple[IntArray, IntArray]:
        """Return row and owner of some of the names, an entry for each node that has the name."""
        first = text.surfaces.start[self.place[chosen]]
        count = text.surfaces.start[self.place[chosen] + 1] - first
        row = np.repeat(chosen, count)
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        return row, text.surfaces.node[np.repeat(first, count) + within].astype(np.int64)


def edge_salience(table: Table, text: TextIndex) -> FloatArray:
    """Return 1 / (1 + first word / 40) of each edge that is a mention, 1 of any other, by edge position."""
    salience = np.ones(table.edge_count)
    found = text.names_in_texts
    row, owner = found.owned(text, np.arange(found.node.size))
    entry = adjacency_entries(table, found.node[row], owner)
    there = np.flatnonzero(entry >= 0)
    # Backwards, so that of several places of one name's owner the first in the text stays.
    there = there[np.lexsort((found.start[row[there]], entry[there]))][::-1]
    salience[table.adjacency.edge[entry[there]]] = 1.0 / (1.0 + found.start[row[there]] / HALF)
    return salience


def adjacency_entries(table: Table, node: Array, neighbour: Array) -> IntArray:
    """Return the adjacency's entry for each pair of nodes, -1 for two that are not next to each other."""
    adjacency, count = table.adjacency, table.node_count
    owner = np.repeat(np.arange(count, dtype=np.int64), np.diff(adjacency.start))
    key = owner * count + adjacency.neighbour
    if not key.size:
        return np.full(node.size, -1, dtype=np.int64)
    order = np.argsort(key)
    wanted = node.astype(np.int64) * count + neighbour
    place = order[np.minimum(np.searchsorted(key, wanted, sorter=order), key.size - 1)]
    return np.where(key[place] == wanted, place, -1).astype(np.int64)
