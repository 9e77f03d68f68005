"""Suites of what runs over candidates: filters, signals, scorers, rerankers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.arrays import frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.judging import judge
from graphrag_pipeline.pipeline.steps.step import Place
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Verdict
from graphrag_pipeline.testing import inputs
from graphrag_pipeline.testing.said import Said
from graphrag_pipeline.testing.suite import Case, ComponentSuite

__tracebackhide__ = True

QUOTE = "' "
"""What stands between the name of a component and what a pipeline refuses of it."""


def over_candidates() -> Iterator[tuple[str, str, GraphIndex, Callable[[], Candidates], Query]]:
    """Yield subject, name, graph, candidates and query of every call over candidates."""
    office, crowd = inputs.sampled()["office"], inputs.crowded(60)
    for number, query in enumerate(inputs.ordinary_queries(), 1):
        yield "ordinary", f"query {number} on the office", office, _found(office, query), query
        yield "ordinary", f"query {number} on a crowd", crowd, _found(crowd, query), query
    plain = inputs.ordinary_queries()[0]
    single, dangling, odd = (inputs.sampled()[name] for name in ("single", "dangling", "odd"))
    yield "one candidate", "one candidate", single, lambda: inputs.first_nodes(single, 1), plain
    yield "dangling edges", "edges to ids that are no nodes", dangling, _found(dangling, plain), plain
    yield "nodes of a bridge", "nodes of a bridge", odd, lambda: inputs.first_nodes(odd, 4), plain
    huge = replace(plain, k=inputs.HUGE, max_hops=inputs.HUGE)
    yield "huge k", "k and hops of a million", crowd, _found(crowd, huge), huge
    for query in inputs.odd_queries():
        name = f"the text {query.text!r:.30}"
        yield "unicode", name, odd, lambda: inputs.first_nodes(odd, inputs.HUGE), query


def without_candidates() -> Iterator[tuple[str, str, GraphIndex, Callable[[], Candidates], Query]]:
    """Yield the calls that have no candidates."""
    query = inputs.ordinary_queries()[0]
    yield "no candidates", "no candidates", inputs.sampled()["office"], inputs.none, query
    yield "empty graph", "an empty graph", inputs.sampled()["empty"], inputs.none, query


def _found(index: GraphIndex, query: Query) -> Callable[[], Candidates]:
    return lambda: inputs.walked(index, query)


class CandidateSuite(ComponentSuite):
    """What suites over candidates share; extend one of its subclasses."""

    empties: ClassVar[bool] = True
    """Whether the kind may be called without candidates."""

    def cases(self) -> Iterator[Case]:
        """Yield calls on every sample graph."""
        calls = [*over_candidates(), *(without_candidates() if self.empties else ())]
        for subject, name, index, candidates, query in calls:
            yield Case(subject, name, self._arguments(candidates, query, index))

    def _arguments(
        self, candidates: Callable[[], Candidates], query: Query, index: GraphIndex
    ) -> Callable[[], tuple[Any, ...]]:
        return lambda: (candidates(), query, index)

    def grown(self, size: int) -> Callable[[], tuple[Any, ...]]:
        """Return what makes all nodes of a crowd candidates."""
        index = inputs.crowded(size)
        return self._arguments(lambda: inputs.whole(index), inputs.ordinary_queries()[0], index)

    def numbers(self, case: Case, answer: object, count: int, what: str) -> None:
        """Refuse an answer that is not one finite number per candidate."""
        try:
            Place("kit", self.kind, str(self.component.name)).column(answer, count, what)
        except StageError as error:
            fix = f"return one finite float64 per candidate ({count} here), whatever their number and values"
            self.refuse(f"{error.what.partition(QUOTE)[2].rstrip('.')} ({case.name})", fix)

    def test_one_candidate(self) -> None:
        """One candidate is enough."""
        self.hold("one candidate")

    def test_dangling_edges(self) -> None:
        """Edges to ids that are no nodes do not matter."""
        self.hold("dangling edges")

    def test_nodes_of_a_bridge(self) -> None:
        """Candidates may be over another small index, all of them seeds."""
        self.hold("nodes of a bridge")

    def test_unicode(self) -> None:
        """Any text may be in a query, a label and a property."""
        self.hold("unicode")

    def test_huge_k(self) -> None:
        """``k`` and ``max_hops`` may be any number."""
        self.hold("huge k")


class _MayBeEmpty(CandidateSuite):
    def test_no_candidates(self) -> None:
        """No candidates are as good as some."""
        self.hold("no candidates")

    def test_empty_graph(self) -> None:
        """The graph may be empty."""
        self.hold("empty graph")


class FilterSuite(_MayBeEmpty):
    """The contract of a filter."""

    kind = "filter"

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse a verdict that a pipeline would refuse, and reasons that are no names."""
        place = Place("kit", "filter", str(self.component.name))
        try:
            verdict = judge(place, Said(answer), *arguments)
        except StageError as error:
            fix = "give keep the dtype bool and reason whole numbers, each with one entry per candidate"
            self.refuse(f"{error.what.partition(QUOTE)[2].rstrip('.')} ({case.name})", fix)
        for reason in () if verdict is None else verdict.reasons:
            if not reason.isprintable():
                self.refuse(
                    f"gives the reason {reason!r}", "let a reason be a short name, such as other_type"
                )

    def test_each_node_is_judged_for_itself(self) -> None:
        """The first half of the candidates is judged as it is among all."""
        for case in self.cases():
            candidates, query, index = case.arguments()
            half = candidates.keep(np.arange(len(candidates)) < len(candidates) // 2)
            among, alone = self._kept(candidates, query, index), self._kept(half, query, index)
            if among is not None and alone is not None and among[: len(half)] != alone:
                self.refuse(
                    f"judges a node differently when fewer are there ({case.name})",
                    "look at each candidate alone, as a gate asks about some at a time",
                )

    def _kept(self, candidates: Candidates, query: Query, index: GraphIndex) -> list[bool] | None:
        verdict: Verdict | None = self.component.keep(candidates, query, index)
        return None if verdict is None else np.asarray(verdict.keep).tolist()


class SignalSuite(_MayBeEmpty):
    """The contract of a signal."""

    kind = "signal"

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is not one finite number per candidate."""
        self.numbers(case, answer, len(arguments[0]), "values")

    def test_it_follows_the_order_of_its_candidates(self) -> None:
        """Candidates in the reverse order get the same numbers in the reverse order."""
        index, query = inputs.sampled()["office"], inputs.ordinary_queries()[0]
        forth = inputs.first_nodes(index, 6)
        back = Candidates(
            *(getattr(forth, name)[::-1] for name in ("node", "parent", "edge", "hop", "score"))
        )
        forth = replace(forth, evidence={})
        values = [np.asarray(self.component.compute(given, query, index)) for given in (forth, back)]
        if not np.allclose(values[0], values[1][::-1], rtol=1e-12, atol=0):
            self.refuse(
                "gives numbers in an order of its own",
                "let entry i be that of candidates.node[i], whatever order they come in",
            )


class RerankerSuite(CandidateSuite):
    """The contract of a reranker."""

    kind = "reranker"
    empties = False

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is not one finite number per candidate."""
        self.numbers(case, answer, len(arguments[0]), "scores")


class ScorerSuite(CandidateSuite):
    """The contract of a scorer."""

    kind = "scorer"
    empties = False
    weights: ClassVar[dict[str, float]] = {"varied": 0.5, "ties": 0.3, "zeros": 0.1, "below": -0.2}
    """Weights of the signals that the scorer is given."""

    def cases(self) -> Iterator[Case]:
        """Yield signals over the sample graphs, and signals that are hard to divide by."""
        yield from super().cases()
        index, query = inputs.sampled()["office"], inputs.ordinary_queries()[0]
        for name, value in (("zeros", 0.0), ("equal", 0.5), ("huge", 1e9), ("tiny", 1e-300)):
            yield Case("hard signals", f"signals that are all {name}", self._alike(index, query, value))

    def _alike(self, index: GraphIndex, query: Query, value: float) -> Callable[[], tuple[Any, ...]]:
        def arguments() -> tuple[Any, ...]:
            candidates = inputs.walked(index, query)
            column = frozen(np.full(len(candidates), value))
            return MappingProxyType({"one": column}), MappingProxyType({"one": 1e9}), candidates

        return arguments

    def _arguments(
        self, candidates: Callable[[], Candidates], query: Query, index: GraphIndex
    ) -> Callable[[], tuple[Any, ...]]:
        def arguments() -> tuple[Any, ...]:
            found = candidates()
            signals = MappingProxyType(inputs.columns(len(found)))
            return signals, MappingProxyType(dict(self.weights)), found

        return arguments

    def judge(self, case: Case, arguments: tuple[Any, ...], answer: Any) -> None:
        """Refuse what is not one finite number per candidate."""
        self.numbers(case, answer, len(arguments[2]), "scores")

    def test_signals_that_are_hard_to_divide_by(self) -> None:
        """Signals may be all zero, all equal, very large and very small."""
        self.hold("hard signals")
