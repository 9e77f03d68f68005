"""A filter as the gate of a walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.gated import Gate, GatedIndex
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.judging import judge
from graphrag_pipeline.pipeline.steps.step import Place
from graphrag_pipeline.pipeline.trace import Drops
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
from graphrag_pipeline.stages.contract import Filter, Verdict


@dataclass(frozen=True, slots=True)
class SlotGate:
    """The filter of a slot, put to an expander as its gate.

    Args:
        place: Where the filter stands.
        component: The filter.
        mode: Whether nodes that it drops are walked through.
    """

    place: Place
    component: Filter
    mode: Literal["block", "pass"]

    @property
    def judges_edges(self) -> bool:
        """Whether it looks at the edge that leads to a node."""
        return bool(getattr(self.component, "judges_edges", False))

    def judge(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        """Ask the filter; what it raises is told as its own fault, not the expander's."""
        try:
            return judge(self.place, self.component, candidates, query, index)
        except GraphRAGError:
            raise
        except plugin_errors() as error:
            raise self.place.failure(error) from error


class GatedWalk:
    """One walk that a gate keeps out of some nodes; it remembers what the gate said.

    Args:
        gate: The gate.
        query: The query.
        index: The whole graph.
    """

    def __init__(self, gate: SlotGate, query: Query, index: GraphIndex) -> None:
        self._slot = gate
        self._query = query
        self._whole = index
        self._gate = Gate(index, self._judge, by_step=gate.judges_edges)
        self._told: list[tuple[IntArray, Verdict]] = []
        self.index = GatedIndex(index, self._gate)
        """The graph as the walk may see it."""

    def admit(self, seeds: Candidates) -> BoolArray | None:
        """Tell which seeds the gate lets in; None means that it does not apply to the query."""
        verdict = self._slot.judge(Candidates.seeds(seeds.node), self._query, self._whole)
        if verdict is None:
            return None
        self._told.append((seeds.node, verdict))
        if not self._gate.by_step:
            self._gate.know(seeds.node, verdict.keep)
        return verdict.keep

    def _judge(self, origin: IntArray, node: IntArray, edge: IntArray) -> BoolArray:
        asked = Candidates.seeds(node)
        if self._gate.by_step:
            asked = Candidates.of(node, origin, edge, np.ones(node.size, dtype=np.int64))
        verdict = self._slot.judge(asked, self._query, self._whole)
        if verdict is None:
            return np.ones(node.size, dtype=np.bool_)
        self._told.append((node, verdict))
        return verdict.keep

    def escaped(self, found: Candidates) -> IntArray:
        """Return the nodes that were reached although the gate is shut."""
        grown = np.flatnonzero(found.hop > 0)
        steps = (column[grown] for column in (found.parent, found.node, found.edge))
        return found.node[grown[~self._gate.passes(*steps)]]

    def met(self) -> IntArray:
        """Return every node that the gate was asked about, in the order of the walk."""
        node = np.concatenate([node for node, _ in self._told])
        return node[self._whole.firsts(node)]

    def drops(self) -> Drops:
        """Return what the gate said of every node, once: that it may be reached, where any way is open."""
        met = self.met()
        node = np.concatenate([node for node, _ in self._told])
        keep = np.concatenate([verdict.keep for _, verdict in self._told])
        reasons = tuple(dict.fromkeys(name for _, verdict in self._told for name in verdict.reasons))
        reason = np.concatenate([_recoded(verdict, reasons) for _, verdict in self._told])
        let_in = node[keep]
        reached = self._whole.rows(let_in[self._whole.firsts(let_in)], met) != NOWHERE
        return Drops(met, Verdict(reached, reason[self._whole.firsts(node)], reasons), self._whole)


def _recoded(verdict: Verdict, reasons: tuple[str, ...]) -> IntArray:
    """Return a verdict's reasons as indexes into a longer list."""
    if verdict.reasons == reasons:
        return verdict.reason.astype(np.int64)
    codes = np.array([reasons.index(name) for name in verdict.reasons], dtype=np.int64)
    recoded = np.zeros(verdict.reason.size, dtype=np.int64)
    recoded[~verdict.keep] = codes[verdict.reason[~verdict.keep]]
    return recoded
