"""Generated graphs: power-law degrees, properties on every node, four nodes in five with a Zachman cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphrag_pipeline import CELLS

if TYPE_CHECKING:
    import pyarrow

EDGES_PER_NODE = 5
PERSONAS = 100
SAME_TAG = 10
"""Nodes that have one tag in their label, so that a query for it finds this many, anywhere in the graph."""
WORDS = [
    "audit",
    "privacy",
    "model",
    "data",
    "flow",
    "order",
    "risk",
    "plan",
    "cell",
    "graph",
    "score",
    "stage",
]
EDGE_TYPES = ("maps_to", "depends_on", "produces")
"""These, and the node type, are among those that the oracle knows."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The random numbers behind a graph; the same size gives the same graph."""

    tag: np.ndarray
    words: np.ndarray
    owner: np.ndarray
    cell: np.ndarray
    source: np.ndarray
    target: np.ndarray
    kind: np.ndarray

    @classmethod
    def of(cls, size: int) -> Generated:
        """Draw a graph."""
        rng = np.random.default_rng(7)
        edges = size * EDGES_PER_NODE
        # The cube of a uniform number falls on i in proportion to i ** (-2 / 3), which makes a power law of
        # degrees with exponent 2.5; most real networks have 2 to 3 (Newman, SIAM Review 45, 2003).
        liked = np.floor(size * rng.random(edges) ** 3).astype(np.int64)
        target = np.where(rng.random(edges) < 0.8, liked, rng.integers(size, size=edges))
        return cls(
            tag=rng.permutation(size) // SAME_TAG,
            words=rng.integers(len(WORDS), size=(5, size)),
            owner=rng.integers(PERSONAS, size=size),
            cell=np.where(rng.random(size) < 0.8, rng.integers(len(CELLS), size=size), -1),
            source=np.arange(edges) % size,
            target=rng.permutation(size)[target],
            kind=rng.integers(len(EDGE_TYPES), size=edges),
        )

    def tables(self) -> tuple[pyarrow.Table, pyarrow.Table]:
        """Return nodes and edges as :meth:`GraphIndex.from_arrow` takes them."""
        import pyarrow as pa
        from pyarrow import compute as pc

        def number(prefix: str, values: np.ndarray) -> pa.Array:
            return pc.binary_join_element_wise(prefix, pc.cast(pa.array(values), pa.string()), "")

        def one_of(choices: list[str], picked: np.ndarray) -> pa.Array:
            return pa.array(choices).take(pa.array(picked, mask=picked < 0))

        size = self.tag.size
        word = [one_of(WORDS, row) for row in self.words]
        padded = pc.utf8_lpad(pc.cast(pa.array(self.tag), pa.string()), 6, "0")
        nodes = {
            "node_id": number("n", np.arange(size)),
            "node_type": pa.array(["concept"]).take(pa.array(np.zeros(size, dtype=np.int64))),
            "label": pc.binary_join_element_wise(
                *word[:2], pc.binary_join_element_wise("x", padded, ""), " "
            ),
            "owner": one_of([persona(number) for number in range(PERSONAS)], self.owner),
            "note": pc.binary_join_element_wise(*word[1:], " "),
            "zachman_cell": one_of([cell.coordinate for cell in CELLS], self.cell),
        }
        edges = {
            "source_id": number("n", self.source),
            "target_id": number("n", self.target),
            "edge_type": one_of(list(EDGE_TYPES), self.kind),
        }
        return pa.table(nodes), pa.table(edges)

    def data(self) -> dict[str, Any]:
        """Return the same graph in the reference's JSON shape."""
        nodes, edges = self.tables()
        fields = ("node_id", "node_type", "label")
        return {
            "nodes": [
                {name: row.pop(name) for name in fields}
                | {"properties": {name: value for name, value in row.items() if value is not None}}
                for row in nodes.to_pylist()
            ],
            "edges": edges.to_pylist(),
        }

    def seeds(self, tag: int) -> np.ndarray:
        """Return the nodes that a query for a tag starts from."""
        return np.flatnonzero(self.tag == tag)


def persona(number: int) -> str:
    """Return a persona's id; one node in a hundred belongs to it."""
    return f"P-{number:03}"
