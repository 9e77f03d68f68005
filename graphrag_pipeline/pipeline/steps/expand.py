"""Running an expander."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.gate import GatedWalk, SlotGate
from graphrag_pipeline.pipeline.steps.grafting import grafted
from graphrag_pipeline.pipeline.steps.judging import shortage
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.trace import Drops
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
from graphrag_pipeline.stages.contract import Expander


@dataclass(frozen=True, slots=True)
class ExpandStep:
    """Spreads from the candidates there are, all as seeds; these keep scores and paths.

    Args:
        place: Where it stands.
        component: The expander.
        trusted: Whether it is one of ours.
        gate: The filter that decides where it may go.
    """

    place: Place
    component: Expander
    trusted: bool = False
    gate: SlotGate | None = None

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Replace the candidates by what the expander finds; without candidates it is not called."""
        seeds = working.candidates
        if not len(seeds):
            return Outcome(working, idle="no seeds")
        if self.gate is None:
            return Outcome(replace(working, candidates=self._expand(seeds, query, index)))
        if self.gate.mode == "pass":
            return self._passing(self.gate, working, query, index)
        return self._blocked(self.gate, working, query, index)

    def _blocked(self, gate: SlotGate, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Expand in what the gate leaves of the graph."""
        walk = GatedWalk(gate, query, index)
        admitted = walk.admit(working.candidates)
        if admitted is None:
            return Outcome(replace(working, candidates=self._expand(working.candidates, query, index)))
        found = working.candidates.keep(admitted)
        if len(found):
            found = self._expand(found, query, walk.index)
            if (escaped := walk.escaped(found)).size:
                self.place.refuse(
                    f"walked to {index.ids[escaped[0]]!r:.80} past its gate {gate.place.slot!r}; "
                    "index.adjacency.around and gather give the neighbours that the gate leaves"
                )
        drops, met = walk.drops(), Candidates.seeds(walk.met())
        remarks: list[str] = []
        if shut := len(drops):
            remarks = [f"the gate {gate.place.slot!r} is shut to {shut} of the {len(met)} nodes the walk met"]
            remarks += shortage(gate.place, gate.component, met, len(met) - shut, query, index)
        return Outcome(replace(working, candidates=found), drops=(drops,), remarks=tuple(remarks))

    def _passing(self, gate: SlotGate, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Expand in the whole graph, and return what the gate keeps; other nodes were on the way only."""
        found = self._expand(working.candidates, query, index)
        verdict = gate.judge(found, query, index)
        if verdict is None:
            return Outcome(replace(working, candidates=found))
        kept = found.keep(verdict.keep)
        passed = len(found) - len(kept)
        remarks: list[str] = []
        if passed:
            cut = int(np.count_nonzero(~kept.intact()))
            remarks = [
                f"nodes that the walk passed and the gate {gate.place.slot!r} does not return: {passed}; "
                f"{cut} of the {len(kept)} returned have no path without them"
            ]
            remarks += shortage(gate.place, gate.component, found, len(kept), query, index)
        drops = Drops(found.node, verdict, index)
        return Outcome(replace(working, candidates=kept), drops=(drops,), remarks=tuple(remarks))

    def _expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return what the expander finds, checked, with what is known of the seeds."""
        found = self._checked(self.component.expand(seeds, query, index), index)
        seeds_found = found.node[found.hop == 0]
        if not self.trusted and (index.rows(seeds.node, seeds_found) == NOWHERE).any():
            self.place.refuse("returned a candidate at hop 0 that is not one of the seeds")
        names: list[object] = list(found.evidence)
        if not all(isinstance(name, str) and name for name in names):
            self.place.refuse(f"returned evidence by the names {names!r:.80}, which are no texts")
        rows = index.rows(found.node, seeds.node)
        kept = {name: _carried(column, rows, len(found)) for name, column in seeds.evidence.items()}
        new = {
            name: self.place.column(column, len(found), f"evidence {name!r}")
            for name, column in found.evidence.items()
        }
        score = _carried(seeds.score, rows, len(found))
        found = replace(found, score=score, signals={}, evidence={**kept, **new})
        return grafted(found, seeds, index)

    def _checked(self, found: object, index: GraphIndex) -> Candidates:
        if not isinstance(found, Candidates):
            self.place.refuse(f"returned {type(found).__name__}, not Candidates")
        size = found.node.size
        columns = (found.node, found.parent, found.edge, found.hop)
        if any(column.shape != (size,) for column in columns):
            self.place.refuse("returned columns of different lengths")
        if not size:
            return Candidates.seeds(np.zeros(0, dtype=np.int64))
        if any(column.dtype.kind not in "iu" for column in columns):
            self.place.refuse("returned columns that are not of whole numbers")
        # Our own expanders are held to the contract by tests; checking takes a quarter of a large query.
        if not self.trusted:
            self._check_positions(found, index)
            self._check_tree(found, index)
        return found

    def _check_positions(self, found: Candidates, index: GraphIndex) -> None:
        if found.node.min() < 0 or found.node.max() >= index.node_count:
            self.place.refuse("returned a node position outside the graph")
        if index.firsts(found.node).size != found.node.size:
            self.place.refuse("returned a candidate twice")
        if found.hop.min() < 0:
            self.place.refuse("returned a negative hop")
        edge = found.edge[found.hop > 0]
        if edge.size and (edge.min() < 0 or edge.max() >= index.edge_count):
            self.place.refuse("returned an edge position outside the graph")

    def _check_tree(self, found: Candidates, index: GraphIndex) -> None:
        grown = found.hop > 0
        parent = found.parent[grown]
        rows = index.rows(found.node, np.where(parent < index.node_count, parent, NOWHERE))
        if (rows >= np.flatnonzero(grown)).any():
            self.place.refuse("returned a child before its parent")
        if (rows == NOWHERE).any():
            self.place.refuse("returned a candidate beyond hop 0 without its parent")
        if (found.hop[grown] != found.hop[rows] + 1).any():
            self.place.refuse("returned a hop that is not its parent's hop plus one")
        if (found.parent[~grown] != NOWHERE).any():
            self.place.refuse("returned a seed with a parent")
        if not index.joins(found.edge[grown], parent, found.node[grown]).all():
            self.place.refuse("returned an edge that does not join a candidate and its parent")


def _carried(column: FloatArray, rows: IntArray, size: int) -> FloatArray:
    """Return a column of the seeds laid out over the candidates, 0 where one was no seed."""
    carried = np.zeros(size)
    carried[rows[rows >= 0]] = column[rows >= 0]
    return carried
