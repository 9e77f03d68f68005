"""What is taken from a result at once, so that its values can be computed later, many at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphrag_pipeline.experiment.gold import Gold, cell_codes
from graphrag_pipeline.experiment.result_rows import connectedness
from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.pipeline.working import WorkingSet


@dataclass(frozen=True, slots=True)
class Extra:
    """What a bridge added to a context.

    Args:
        labels: Of the added nodes in the context.
        cells: Codes of their cells.
        connectedness: Of the whole context.
    """

    labels: tuple[str, ...]
    cells: tuple[int, ...]
    connectedness: float

    @classmethod
    def of(cls, rows: IntArray, working: WorkingSet, index: GraphIndex) -> Extra:
        """Look at the rows of a context."""
        extras = working.extras
        added = rows[rows >= len(working.candidates)] - len(working.candidates)
        labels = tuple(extras.nodes[row].label for row in added.tolist())
        cells = tuple(cell_codes(extras.index, added).tolist())
        return cls(labels, cells, connectedness(rows, working, index))


@dataclass(frozen=True, slots=True, eq=False)
class Excerpt:
    """What the values of a query are made of.

    Args:
        gold: What is known of the answer.
        cell: The query's cell.
        candidates: Nodes of the result.
        context_nodes: Nodes in the context.
        tokens: Tokens of the context.
        node: Positions of the context's nodes but for extras.
        parent: Their parents.
        found: Rows of the relevant nodes, -1 for one that is not there.
        kept: How many of them are in the context.
        paths: Values of gold paths.
        extras: What a bridge added; None for nothing.
    """

    gold: Gold
    cell: ZachmanCell | None
    candidates: int
    context_nodes: int
    tokens: int
    node: IntArray
    parent: IntArray
    found: IntArray
    kept: int
    paths: Mapping[str, float]
    extras: Extra | None
