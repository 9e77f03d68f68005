"""Suites of what finds candidates: seed retrievers and expanders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.expand import ExpandStep
from graphrag_pipeline.pipeline.steps.gate import SlotGate
from graphrag_pipeline.pipeline.steps.seed import SeedStep
from graphrag_pipeline.pipeline.steps.step import Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Verdict
from graphrag_pipeline.testing import inputs
from graphrag_pipeline.testing.said import Said
from graphrag_pipeline.testing.suite import Case, ComponentSuite

__tracebackhide__ = True


def _told(error: StageError) -> str:
    """Return what a pipeline refuses, without the name of the component."""
    return error.what.partition("' ")[2].rstrip(".") or error.what


class WalkSuite(ComponentSuite):
    """What both suites share; extend one of its subclasses."""

    def test_dangling_edges(self) -> None:
        """Edges to ids that are no nodes do not matter."""
        self.hold("dangling edges")

    def test_one_candidate(self) -> None:
        """A graph of one node is enough."""
        self.hold("one candidate")

    def test_unicode(self) -> None:
        """Any text may be in a query, a label and a property."""
        self.hold("unicode")

    def test_huge_k(self) -> None:
        """``k`` and ``max_hops`` may be any number."""
        self.hold("huge k")


class SeedRetrieverSuite(WalkSuite):
    """The contract of a seed retriever."""

    kind = "seed_retriever"

    def cases(self) -> Iterator[Case]:
        """Yield queries of every sort on every sample graph."""
        office, crowd, single, dangling, odd, empty = (
            inputs.sampled()["office"],
            inputs.crowded(60),
            inputs.sampled()["single"],
            inputs.sampled()["dangling"],
            inputs.sampled()["odd"],
            inputs.sampled()["empty"],
        )
        for number, query in enumerate(inputs.ordinary_queries(), 1):
            yield self._case("ordinary", f"query {number} on the office", query, office)
            yield self._case("ordinary", f"query {number} on a crowd", query, crowd)
            yield self._case("empty graph", f"query {number} on an empty graph", query, empty)
        plain = inputs.ordinary_queries()[0]
        yield self._case("one candidate", "a graph of one node", plain, single)
        yield self._case("dangling edges", "edges to ids that are no nodes", plain, dangling)
        yield self._case("huge k", "k of a million", replace(plain, k=inputs.HUGE), crowd)
        for query in inputs.odd_queries():
            yield self._case("unicode", f"the text {query.text!r:.30}", query, odd)

    def _case(self, subject: str, name: str, query: Query, index: GraphIndex) -> Case:
        return Case(subject, name, lambda: (query, index, query.k))

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse seeds that a pipeline would refuse, and such as are not in order."""
        query, index, k = arguments
        place = Place("kit", "seed retriever", str(self.component.name))
        try:
            SeedStep(place, Said(answer), k).run(WorkingSet(), query, index)
        except StageError as error:
            fix = "return a list of at most k pairs of the id of a node, each once, and a finite score"
            self.refuse(f"{_told(error)} ({case.name})", fix)
        scores = [float(seed[1]) for seed in answer]
        if scores != sorted(scores, reverse=True):
            self.refuse(f"gives seeds that are not in order ({case.name})", "sort by score, the best first")

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return what asks a larger graph for as many seeds."""
        index, query = inputs.crowded(size), inputs.ordinary_queries()[1]
        return lambda: (query, index, query.k)

    def test_empty_graph(self) -> None:
        """The graph may be empty."""
        self.hold("empty graph")


class _Odd:
    """A filter that keeps every node at an even position."""

    def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict:
        """Judge by position."""
        return Verdict(candidates.node % 2 == 0, np.zeros(len(candidates), dtype=np.int64), ("odd",))


class ExpanderSuite(WalkSuite):
    """The contract of an expander."""

    kind = "expander"

    def cases(self) -> Iterator[Case]:
        """Yield seeds on every sample graph."""
        office, crowd, single, dangling, odd = (
            inputs.sampled()["office"],
            inputs.crowded(60),
            inputs.sampled()["single"],
            inputs.sampled()["dangling"],
            inputs.sampled()["odd"],
        )
        for number, query in enumerate(inputs.ordinary_queries(), 1):
            yield self._case("ordinary", f"query {number} on the office", query, office, 2)
            yield self._case("ordinary", f"query {number} on a crowd", query, crowd, 5)
        plain = inputs.ordinary_queries()[0]
        yield self._case("one candidate", "a graph of one node", plain, single, 1)
        yield self._case("dangling edges", "edges to ids that are no nodes", plain, dangling, 1)
        huge = replace(plain, k=inputs.HUGE, max_hops=inputs.HUGE)
        yield self._case("huge k", "k and hops of a million", huge, crowd, 60)
        yield self._case("no hops", "no hops", replace(plain, max_hops=0), crowd, 5)
        yield self._case("no hops", "hops below 0", replace(plain, max_hops=-3), crowd, 5)
        for query in inputs.odd_queries():
            yield self._case("unicode", f"the text {query.text!r:.30}", query, odd, 4)

    def _case(self, subject: str, name: str, query: Query, index: GraphIndex, seeds: int) -> Case:
        return Case(subject, name, lambda: (inputs.first_nodes(index, seeds), query, index))

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse candidates that a pipeline would refuse, and such as are too far away."""
        seeds, query, index = arguments
        try:
            self._step(Said(answer)).run(WorkingSet(seeds), query, index)
        except StageError as error:
            fix = "give parents before children, each node once, with the edge that joins it to its parent"
            self.refuse(f"{_told(error)} ({case.name})", fix)
        if answer.hop.max(initial=0) > query.hops:
            self.refuse(
                f"goes {answer.hop.max()} hops where {query.hops} are asked for", "stop at query.hops"
            )
        started = answer.node[answer.hop == 0]
        if not np.isin(started, seeds.node).all():
            self.refuse(f"starts from nodes that are no seeds ({case.name})", "give hop 0 to seeds alone")

    def _step(self, component: Any, gate: SlotGate | None = None) -> ExpandStep:
        return ExpandStep(Place("kit", "expander", str(self.component.name)), component, gate=gate)

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return what expands a seed of a larger graph."""
        index, query = inputs.crowded(size), Query("audit", max_hops=99)
        return lambda: (inputs.first_nodes(index, 1), query, index)

    def test_query_hops_are_obeyed(self) -> None:
        """No hops leave the seeds; fewer than none are none."""
        self.hold("no hops")

    def test_a_gate_is_obeyed(self) -> None:
        """With a gate, no candidate was reached past it."""
        gate = SlotGate(Place("gate", "filter", "odd"), _Odd(), "block")
        for case in self.cases():
            seeds, query, index = case.arguments()
            try:
                self._step(self.component, gate).run(WorkingSet(seeds), query, index)
            except StageError as error:
                fix = "walk with index.adjacency.around and gather, which leave out what the gate is shut to"
                self.refuse(f"{_told(error)} ({case.name})", fix)
