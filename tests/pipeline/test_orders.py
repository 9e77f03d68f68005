"""Slots in other orders than the reference's."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrag_pipeline import Candidates, GraphIndex, Params, Query, Verdict
from graphrag_pipeline.pipeline.spec import ComponentSpec
from tests.pipeline.small import ARCHITECT, ids, small, thought
from tests.tiny import Answering, edge, graph_of, pipeline_of


def test_without_filter_and_bridge():
    pipeline = pipeline_of(small(), "seed expand score context")
    assert ids(pipeline.run(Query("risk", cell=ARCHITECT))) == ["a", "b", "c", "d"]


def test_seeds_keep_their_retrievers_score_when_nothing_scores():
    class Scored:
        def retrieve(self, query: Query, index: Any, k: int) -> list[tuple[str, float]]:
            return [("c", 0.2), ("a", 0.9)]

    pipeline = pipeline_of(small(), "seed context", given={"seed": Scored()})
    result = pipeline.run("x")
    assert ids(result) == ["c", "a"]
    assert result.scored == (("a", 0.9), ("c", 0.2))
    assert result.paths == (("c",), ("a",))
    expanded = pipeline_of(small(), "seed expand context", given={"seed": Scored()}).run(
        Query("x", max_hops=1)
    )
    assert expanded.scored == (("a", 0.9), ("c", 0.2), ("b", 0.0), ("d", 0.0))


def test_expanding_twice_goes_on_from_what_there_is():
    pipeline = pipeline_of(small(), "seed expand expand context")
    trace = pipeline.trace(Query("risk", max_hops=1))
    assert ids(trace.result) == ["a", "b", "c"]
    assert trace.hops == (0, 1, 2)


def test_a_second_seed_slot_adds_what_is_new():
    class Second:
        def retrieve(self, query: Query, index: Any, k: int) -> list[tuple[str, float]]:
            return [("d", 0.3), ("a", 0.3)]

    from graphrag_pipeline.pipeline.spec import ComponentSpec
    from graphrag_pipeline.stages.seeds.label import LabelSeedsParams

    slots = {"more": ComponentSpec("seed_retriever", "label", LabelSeedsParams())}
    pipeline = pipeline_of(small(), "seed more context", slots=slots, given={"more": Second()})
    assert pipeline.run("risk").scored == (("a", 1.0), ("d", 0.3))


def test_a_filter_after_the_bridge_only_judges_both():
    bridge = Answering({"nodes": [thought("x"), thought("y", zachman_cell="architect")]})
    pipeline = pipeline_of(small(), "seed expand score bridge filter context", given={"bridge": bridge})
    assert ids(pipeline.run(Query("risk", cell=ARCHITECT))) == ["a", "c", "y"]


def test_what_an_extra_joins_to_a_dropped_candidate_goes_even_when_extras_are_not_judged():
    class GraphOnly:
        def keep(self, candidates: Any, query: Query, index: Any) -> Verdict | None:
            if index.position("a") is None:
                return None
            dropped = np.array([index.ids[place] == "b" for place in candidates.node])
            return Verdict(~dropped, np.zeros(len(candidates), dtype=np.int64), ("is_b",))

    answer = {
        "nodes": [thought("x")],
        "edges": [edge("a>x").to_dict(), edge("b>x").to_dict()],
        "paths": [["a", "x"], ["b", "x"]],
    }
    pipeline = pipeline_of(
        small(),
        "seed expand bridge filter context",
        given={"bridge": Answering(answer), "filter": GraphOnly()},
    )
    result = pipeline.run(Query("risk", max_hops=1))
    assert ids(result) == ["a", "x"]
    assert [found.key[:2] for found in result.edges] == [("a", "x")]
    assert result.paths == (("a",), ("a", "x"))


def test_without_a_filter_after_it_a_bridges_extras_are_not_judged():
    bridge = Answering({"nodes": [thought("x")]})
    pipeline = pipeline_of(small(), "seed expand filter score bridge context", given={"bridge": bridge})
    assert ids(pipeline.run(Query("risk", cell=ARCHITECT))) == ["a", "c", "x"]


def test_a_score_after_the_bridge_scores_extras_by_signals():
    bridge = Answering({"nodes": [thought("risk register"), thought("x", who="FCON-001")]})
    pipeline = pipeline_of(small(), "seed bridge score context", given={"bridge": bridge})
    trace = pipeline.trace(Query("risk", persona="fcon"))
    assert trace.result.scored == (("a", 0.6), ("risk register", 0.6), ("x", 0.5))
    assert trace.signals["persona_match"] == (0.0, 0.0, 1.0)


def test_signals_of_extras_are_told_when_there_are_no_candidates():
    pipeline = pipeline_of(
        small(), "seed bridge score context", given={"bridge": Answering({"nodes": [thought("zebra")]})}
    )
    trace = pipeline.trace("zebra")
    assert trace.result.scored == (("zebra", 0.6),)
    assert trace.signals == {"baseline": (1.0,), "label_match": (1.0,), "persona_match": (0.0,)}


def test_two_bridges_runs_add_up_and_the_first_of_an_id_wins():
    bridge = Answering({"nodes": [thought("x")], "edges": [edge("a>x").to_dict()], "paths": [["a", "x"]]})
    result = pipeline_of(small(), "seed bridge bridge context", given={"bridge": bridge}).run("risk")
    assert ids(result) == ["a", "x"]
    assert len(result.edges) == 1
    assert result.paths == (("a",), ("a", "x"), ("a", "x"))


def test_evidence_of_seeds_reaches_the_signals_and_what_nobody_found_counts_as_nothing():
    class Seeds:
        def retrieve(self, query: Query, index: GraphIndex, k: int) -> list[Any]:
            return [("a", 1.0, {"mention": 0.5}), ("b", 1.0)]

    seen: list[Any] = []

    class Looking:
        def rerank(self, candidates: Candidates, query: Query, index: GraphIndex) -> Any:
            seen.append(
                (candidates.evidence_of("mention").tolist(), candidates.evidence_of("other").tolist())
            )
            return [0.1, 0.9, *[0.0] * (len(candidates) - 2)]

    graph = graph_of("a b c", "b>c")
    spec = {"rerank": ComponentSpec("reranker", "given", Params())}
    pipeline = pipeline_of(
        graph, "seed expand score rerank context", given={"seed": Seeds(), "rerank": Looking()}, slots=spec
    )
    result = pipeline.run("x")
    assert seen == [([0.5, 0.0, 0.0], [0.0, 0.0, 0.0])]
    assert [node_id for node_id, _ in result.scored] == ["b", "a", "c"]


def test_a_second_expansion_goes_on_from_where_the_first_one_came_to():
    graph = graph_of("a b c d", "a>b b>c c>d")
    once = pipeline_of(graph, "seed expand context").trace(Query("a", max_hops=2))
    twice = pipeline_of(graph, "seed expand expand context").trace(Query("a", max_hops=1))
    assert twice.hops == once.hops == (0, 1, 2)
    assert twice.result.paths == once.result.paths == (("a",), ("a", "b"), ("a", "b", "c"))
    assert [edge.key for edge in twice.result.edges] == [edge.key for edge in once.result.edges]


def test_seeds_between_two_expansions_start_anew():
    class Seeds:
        def __init__(self) -> None:
            self.left = ["a", "d"]

        def retrieve(self, query: Query, index: Any, k: int) -> list[tuple[str, float]]:
            return [(self.left.pop(0), 1.0)]

    graph = graph_of("a b c d e", "a>b b>c d>e")
    trace = pipeline_of(graph, "seed expand seed expand context", given={"seed": Seeds()}).trace(
        Query("x", max_hops=1)
    )
    found = dict(zip(ids(trace.result), trace.hops, strict=True))
    assert found == {"a": 0, "d": 0, "b": 1, "e": 1, "c": 2}
