"""Running queries: what a caller sees."""

from __future__ import annotations

import json
import logging
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphrag_pipeline import (
    BridgeParams,
    GraphRAG,
    LyraMockBridge,
    Persona,
    PersonaRegistry,
    Query,
    QueryResult,
    StageError,
)
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
from graphrag_pipeline.stages.context.bullets import BulletsParams
from tests.pipeline.small import ARCHITECT, ids, small, thought
from tests.tiny import Answering, as_bytes, edge, graph_of, node, pipeline_of

# -- nothing to do -----------------------------------------------------------------------------


class Forbidden:
    """A component that must not be called."""

    def refuse(self, *arguments: Any, **named: Any) -> Any:
        raise AssertionError("a stage was called")

    retrieve = expand = keep = score = assemble = refuse
    graph_of_thought_query = vocab_lookup = harmonic_expand = refuse


def test_an_empty_graph_gives_an_empty_result_and_calls_nothing():
    slots = ("seed", "expand", "filter", "score", "bridge", "context")
    pipeline = pipeline_of(graph_of("", "a>b"), given={slot: Forbidden() for slot in slots})
    trace = pipeline.trace("risk")
    assert trace.result == QueryResult()
    assert trace.slots == ()
    assert trace.warnings == ("the graph is empty",)


@pytest.mark.parametrize(
    "query", [Query(""), Query("  "), Query("risk", k=0), Query("risk", k=-3), Query("zebra")]
)
def test_a_query_without_seeds_still_asks_the_bridge(query):
    bridge = Answering({"nodes": [thought("x")], "paths": [["x"]]})
    trace = pipeline_of(small(), given={"bridge": bridge}).trace(query)
    assert ids(trace.result) == ["x"]
    assert trace.result.scored == (("x", 0.25),)
    assert bridge.asked == [(query.text, 3)]
    assert trace.hops == (-1,)


def test_what_was_not_called_says_why():
    trace = pipeline_of(small()).trace(Query("risk", k=0))
    assert [step.idle for step in trace.slots] == [
        "k is 0 or less",
        "no seeds",
        "no candidates",
        "no candidates",
        "",
        "no candidates",
        "no candidates",
    ]


@pytest.mark.parametrize("k", [0, -3])
def test_a_query_without_seeds_because_of_k_says_so_and_what_to_do(k, caplog):
    remark = f"no seeds: query.k is {k}; give it 1 or more, such as query.k=10"
    with caplog.at_level(logging.WARNING):
        trace = pipeline_of(small()).trace(Query("risk", k=k))
    assert trace.slots[0].remarks == (remark,)
    assert trace.to_dict()["slots"][0]["remarks"] == [remark]
    assert [step.remarks for step in trace.slots[1:]] == [()] * 6
    assert caplog.messages == [f"seed: {remark}"]


def test_a_query_with_seeds_has_no_remark_on_them(caplog):
    assert pipeline_of(small()).trace(Query("risk", k=1)).slots[0].remarks == ()
    assert caplog.messages == []


@pytest.mark.parametrize("hops", [-1, 0])
def test_negative_hops_are_no_hops_for_the_bridge_too(hops):
    bridge = Answering({})
    result = pipeline_of(small(), given={"bridge": bridge}).run(Query("risk", max_hops=hops))
    assert ids(result) == ["a"]
    assert bridge.asked == [("risk", 0)]


# -- the whole way -----------------------------------------------------------------------------


def test_a_query_gives_nodes_edges_paths_scores_and_context():
    result = pipeline_of(small()).run(Query("risk", persona="fcon", max_hops=2))
    assert ids(result) == ["a", "b", "c"]
    assert [found.key[:2] for found in result.edges] == [("a", "b"), ("b", "c")]
    assert result.paths == (("a",), ("a", "b"), ("a", "b", "c"))
    assert result.scored == (("a", 0.6), ("b", 0.5), ("c", 0.1))
    assert result.context_text.splitlines()[1:] == [
        "- [0.60] Risk (concept, id=a)",
        "- [0.50] Control (concept, id=b)",
        "- [0.10] Audit (concept, id=c)",
    ]


def test_the_filter_drops_a_node_and_the_paths_and_edges_through_it():
    result = pipeline_of(small()).run(Query("risk", cell=ARCHITECT))
    assert ids(result) == ["a", "c"]
    assert result.edges == ()
    assert result.paths == (("a",),)


def test_a_text_takes_every_other_setting_from_the_pipelines_defaults():
    pipeline = pipeline_of(small(), query=Query("", k=1, persona="fcon", cell=ARCHITECT, max_hops=1))
    trace = pipeline.trace("o")
    assert trace.query == Query("o", 1, "fcon", ARCHITECT, 1)
    assert pipeline.run("o") == pipeline.run(Query("o", 1, "fcon", ARCHITECT, 1))


def test_a_result_is_frozen_and_goes_through_json():
    result = pipeline_of(small()).run("risk")
    with pytest.raises(AttributeError):
        result.scored = ()  # type: ignore[misc]
    assert all(isinstance(part, tuple) for part in (result.nodes, result.edges, result.paths, result.scored))
    assert QueryResult.from_dict(json.loads(json.dumps(result.to_dict()))) == result


def test_scores_and_hops_are_plain_python_numbers():
    trace = pipeline_of(small()).trace("risk")
    assert {type(score) for _, score in trace.result.scored} == {float}
    assert {type(hop) for hop in trace.hops} == {int}
    assert {type(value) for column in trace.signals.values() for value in column} == {float}
    json.dumps(trace.to_dict())


def test_run_and_trace_agree():
    pipeline = pipeline_of(small(), given={"bridge": LyraMockBridge()})
    for text in ("risk", "persona", "", "zebra"):
        assert pipeline.trace(text).result == pipeline.run(text)


def test_the_trace_has_signals_and_hops_for_every_node_of_the_result():
    bridge = Answering({"nodes": [thought("x")]})
    trace = pipeline_of(small(), given={"bridge": bridge}).trace(Query("risk", persona="fcon", max_hops=1))
    assert ids(trace.result) == ["a", "b", "x"]
    assert trace.hops == (0, 1, -1)
    assert trace.signals == {
        "baseline": (1.0, 1.0, 0.0),
        "label_match": (1.0, 0.0, 0.0),
        "persona_match": (0.0, 1.0, 0.0),
    }


def test_the_trace_names_every_dropped_node_with_its_reason():
    bridge = Answering(
        {"nodes": [thought("x", zachman_cell="nobody"), thought("y", zachman_cell="architect:why")]}
    )
    trace = pipeline_of(small(), given={"bridge": bridge}).trace(Query("risk", cell=ARCHITECT))
    assert list(trace.slots[2].dropped()) == [("b", "other_perspective"), ("d", "no_cell")]
    assert list(trace.slots[5].dropped()) == [("x", "unreadable_cell")]
    assert trace.slots[2].drop_counts() == {"no_cell": 1, "other_perspective": 1}
    assert [(step.candidates_in, step.candidates_out) for step in trace.slots] == [
        (0, 1),
        (1, 4),
        (4, 2),
        (2, 2),
        (2, 4),
        (4, 3),
        (3, 3),
    ]


def test_the_trace_says_how_many_nodes_the_context_left_out():
    trace = pipeline_of(small(), params={"context": BulletsParams(max_tokens=1)}).trace("risk")
    assert trace.slots[-1].cut == 3


def test_ties_keep_visit_order():
    graph = graph_of([node(name, "same") for name in "dbca"], "a>b")
    assert [name for name, _ in pipeline_of(graph).run("same").scored] == ["d", "b", "c", "a"]


def test_many_ties_keep_visit_order():
    names = [f"{'risk' if number % 3 else 'other'}-{number}" for number in range(200)]
    graph = graph_of(
        [node("hub", "hub"), *(node(name) for name in names)], [edge(f"hub>{name}") for name in names]
    )
    pipeline = pipeline_of(graph, "seed expand score context", given={"seed": _Hub()})
    risky = [name for name in names if "risk" in name]
    rest = ["hub", *(name for name in names if "risk" not in name)]
    assert [name for name, _ in pipeline.run("risk").scored] == risky + rest


class _Hub:
    def retrieve(self, query: Query, index: Any, k: int) -> list[tuple[str, float]]:
        return [("hub", 1.0)]


def test_extras_are_sorted_among_the_candidates_and_a_tie_keeps_candidates_first():
    bridge = Answering({"nodes": [thought("x"), thought("y")]})
    pipeline = pipeline_of(
        small(), given={"bridge": bridge}, params={"bridge": BridgeParams(extra_score=0.1)}
    )
    scored = pipeline.run(Query("risk", max_hops=1)).scored
    assert scored == (("a", 0.6), ("b", 0.1), ("x", 0.1), ("y", 0.1))
    pipeline = pipeline_of(small(), given={"bridge": bridge})
    assert [name for name, _ in pipeline.run(Query("risk", max_hops=1)).scored] == ["a", "x", "y", "b"]


# -- personas ----------------------------------------------------------------------------------

KNOWN = PersonaRegistry([Persona("FCON-001", "Auditor"), Persona("RES-001", "Risk")])


def test_an_unknown_persona_is_warned_about_with_the_nearest_and_the_query_runs(caplog):
    with caplog.at_level(logging.WARNING):
        trace = pipeline_of(small(), personas=KNOWN).trace(Query("risk", persona="fcon-01"))
    (said,) = trace.warnings
    assert said.startswith(
        "unknown persona 'fcon-01' among the 2 known ones; nearest: FCON-001; the query goes on"
    )
    assert said in caplog.text
    assert trace.query.persona_anchors == ("fcon-01",)
    assert trace.result.scored[0] == ("a", 0.6)


def test_an_unknown_persona_like_no_other_is_warned_about_too():
    trace = pipeline_of(small(), personas=KNOWN).trace(Query("risk", persona="zzz"))
    assert "none is like it" in trace.warnings[0]


def test_without_personas_every_id_is_known():
    assert pipeline_of(small()).trace(Query("risk", persona="zzz")).warnings == ()


@pytest.mark.parametrize(
    ("anchors", "scored"),
    [
        (("id",), (("a", 0.6), ("b", 0.1))),
        (("name",), (("a", 1.0), ("b", 0.1))),
        (("id", "name"), (("a", 1.0), ("b", 0.1))),
    ],
)
def test_anchors_stand_for_the_persona(anchors, scored):
    pipeline = pipeline_of(small(), personas=KNOWN, anchors=anchors)
    assert pipeline.run(Query("risk", persona="RES-001", max_hops=1)).scored == scored


def test_a_querys_own_anchors_win():
    pipeline = pipeline_of(small(), personas=KNOWN, anchors=("name",))
    assert pipeline.trace(Query("risk", persona="RES-001", anchors=("owner",))).query.anchors == ("owner",)


# -- many at once ------------------------------------------------------------------------------


def test_eight_threads_on_one_pipeline_give_the_bytes_of_one(shared_demo):
    texts = ["persona", "score", "zachman cell", "who owns the graph?", "", "config"]
    cells = [None, ARCHITECT]
    queries = [
        Query(
            texts[number % 6],
            1 + number % 7,
            [None, "FCON-001"][number % 2],
            cells[number % 3 == 0],
            number % 4,
        )
        for number in range(200)
    ]
    expected = [as_bytes(shared_demo().run(query).to_dict()) for query in queries[:12]]
    pipeline = shared_demo()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda query: as_bytes(pipeline.run(query).to_dict()), queries))
    assert found[:12] == expected
    assert found == [as_bytes(pipeline.run(query).to_dict()) for query in queries]


@pytest.fixture(scope="module")
def shared_demo():
    graph = DemoGraph().load().graph
    return lambda: pipeline_of(graph, given={"bridge": LyraMockBridge()})


def test_the_class_answers_as_the_pipeline_does():
    rag = GraphRAG(small(), lyra_bridge=Answering({"nodes": [thought("x")]}))
    expected = pipeline_of(small(), given={"bridge": Answering({"nodes": [thought("x")]})})
    asked = Query("risk", 2, "fcon", ARCHITECT, 1)
    assert rag.query("risk", 2, "fcon", ARCHITECT, 1) == expected.run(asked)
    assert rag.trace("risk", 2, "fcon", ARCHITECT, 1).result == expected.run(asked)


def test_a_stage_that_fails_is_named_with_its_cause():
    class Broken:
        def expand(self, seeds: Any, query: Query, index: Any) -> Any:
            raise ZeroDivisionError("division by zero")

    with pytest.raises(StageError) as error:
        pipeline_of(small(), given={"expand": Broken()}).run("risk")
    assert "ZeroDivisionError: division by zero" in error.value.what
    assert "Broken" in error.value.what
    assert error.value.where == "slot expand, step 2 of 7"
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_a_stage_that_exits_does_not_end_the_program():
    class Leaving:
        def expand(self, seeds: Any, query: Query, index: Any) -> Any:
            raise SystemExit(3)

    with pytest.raises(StageError, match="SystemExit: 3"):
        pipeline_of(small(), given={"expand": Leaving()}).run("risk")


def test_a_result_is_made_on_demand_and_equal_to_a_plain_one():
    index = small()
    result = pipeline_of(index).run(Query("risk", persona="fcon"))
    plain = QueryResult(result.nodes, result.edges, result.paths, result.scored, result.context_text)
    assert type(result) is not QueryResult
    assert type(plain) is QueryResult
    assert (result == plain, plain == result, result != plain) == (True, True, False)
    assert result != QueryResult(result.nodes, (), result.paths, result.scored, result.context_text)
    assert result != "result"
    assert result.nodes is result.nodes
    with pytest.raises(TypeError):
        hash(result)


def test_a_pickled_result_is_a_plain_one():
    result = pipeline_of(small()).run("risk")
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is QueryResult
    assert again == result


def test_a_trace_holds_what_the_last_step_left():
    trace = pipeline_of(small()).trace(Query("risk", max_hops=1))
    assert trace.result is trace.result
    assert trace.index.ids[trace.working.candidates.node[0]] == "a"
    assert len(trace.working) == len(trace.result.nodes) == len(trace.hops) == 2
    assert trace.working.context.text == trace.result.context_text


def test_editing_a_result_reaches_neither_the_index_nor_later_answers():
    pipeline = pipeline_of(graph_of([node("a", "Risk", tags=["x"])]))
    first = pipeline.run("risk")
    first.nodes[0].properties["tags"].append("y")
    assert first.nodes[0].properties == {"tags": ["x", "y"]}
    assert pipeline.run("risk").nodes[0].properties == {"tags": ["x"]}
    assert pipeline.index.node(0).properties == {"tags": ["x"]}
