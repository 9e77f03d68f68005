"""What a bridge may do to a query, and what not."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from graphrag_pipeline import BridgeParams, GraphIndex, Query
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSumParams
from tests.pipeline.small import ARCHITECT, ids, small, thought
from tests.tiny import Answering, edge, node, pipeline_of


@pytest.mark.parametrize(
    "answer", [None, [], "x", 7, {"nodes": 3, "edges": {}, "paths": "ab"}, {"nodes": [None]}]
)
def test_garbage_from_a_bridge_adds_nothing_and_the_query_goes_on(answer, caplog):
    expected = pipeline_of(small()).run("risk")
    with caplog.at_level(logging.WARNING):
        trace = pipeline_of(small(), given={"bridge": Answering(answer)}).trace("risk")
    assert trace.result == expected
    assert trace.bridge is not None
    assert trace.bridge.skipped
    assert trace.bridge.skipped[0] in caplog.text


@pytest.mark.parametrize(
    "error", [RuntimeError("down"), SystemExit(1), KeyError("x"), RecursionError("deep")]
)
def test_a_bridge_that_raises_adds_nothing_and_the_trace_says_so(error, caplog):
    with caplog.at_level(logging.WARNING):
        trace = pipeline_of(small(), given={"bridge": Answering(error)}).trace("risk")
    assert trace.result == pipeline_of(small()).run("risk")
    assert trace.bridge is not None
    assert trace.bridge.mode == "failed"
    assert trace.bridge.error == f"{type(error).__name__}: {error}"
    assert "the query goes on without it" in caplog.text


class Lazy(dict):
    """An answer that is fetched when it is read, and fails then."""

    def get(self, key: object, default: object = None) -> Any:
        raise ConnectionError("stream closed")


class Shy(Answering):
    """A bridge that cannot say what it is."""

    @property
    def mode(self) -> str:
        raise OSError("no status")


@pytest.mark.parametrize("bridge", [Answering(Lazy()), Shy({"nodes": []})])
def test_a_bridge_that_fails_after_its_answer_does_not_end_the_query_either(bridge):
    trace = pipeline_of(small(), given={"bridge": bridge}).trace("risk")
    assert trace.result == pipeline_of(small()).run("risk")
    assert trace.bridge is not None
    assert trace.bridge.mode == "failed"


def test_a_bridge_that_hangs_is_left_behind():
    class Sleeping(Answering):
        def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
            time.sleep(1.5)
            return {"nodes": [thought("late")]}

    pipeline = pipeline_of(
        small(), given={"bridge": Sleeping()}, params={"bridge": BridgeParams(timeout_s=0.05)}
    )
    started = time.monotonic()
    trace = pipeline.trace("risk")
    assert time.monotonic() - started < 1.4
    assert trace.result == pipeline_of(small()).run("risk")
    assert trace.bridge is not None
    assert trace.bridge.mode == "failed"
    assert "no answer within 0.05 s (bridge.timeout_s)" in trace.bridge.error


def test_a_node_from_the_bridge_that_the_filter_must_drop_is_dropped_with_its_edges_and_paths():
    answer = {
        "nodes": [thought("x", zachman_cell="engineer:how"), thought("y", zachman_cell="architect:how")],
        "edges": [edge("x>y").to_dict(), edge("a>y").to_dict(), edge("y>nobody").to_dict()],
        "paths": [["a", "x", "y"], ["a", "y"], ["nobody"]],
    }
    result = pipeline_of(small(), given={"bridge": Answering(answer)}).run(Query("risk", cell=ARCHITECT))
    assert ids(result) == ["a", "c", "y"]
    assert [found.key[:2] for found in result.edges] == [("a", "y")]
    assert result.paths == (("a",), ("a", "y"))


def test_a_node_that_exists_in_the_graph_is_returned_from_the_graph():
    answer = {"nodes": [node("d", "the bridge's copy").to_dict()]}
    result = pipeline_of(small(), given={"bridge": Answering(answer)}).run(Query("risk", max_hops=1))
    assert ids(result) == ["a", "b", "d"]
    assert result.nodes[2] == node("d", "Owner")
    assert "Owner (concept, id=d)" in result.context_text
    assert "copy" not in result.context_text


def test_a_node_that_is_already_a_candidate_is_not_an_extra():
    answer = {"nodes": [node("b", "copy").to_dict()]}
    trace = pipeline_of(small(), given={"bridge": Answering(answer)}).trace("risk")
    assert trace.bridge is not None
    assert trace.bridge.nodes == 0
    assert ids(trace.result) == ["a", "b", "c", "d"]


def test_a_bridge_may_not_be_seen_to_change_the_graph():
    class Meddling(Answering):
        def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
            answer = super().graph_of_thought_query(query, depth)
            answer["nodes"].append(thought(f"x{len(self.asked)}"))
            return answer

    pipeline = pipeline_of(small(), given={"bridge": Meddling({"nodes": []})})
    first = pipeline.run("risk")
    pipeline.run("risk")
    assert ids(first)[-1] == "x1"


def test_a_bridges_nodes_are_analysed_as_the_graphs_are():
    answer = {"nodes": [thought("x", note="harbour crane")]}
    index = GraphIndex.from_graph(small()).with_text(TextSettings(passage_keys=("note",)))
    score = WeightedSumParams(weights={"bm25": 1.0})
    pipeline = pipeline_of(
        index, "seed bridge score context", given={"bridge": Answering(answer)}, params={"score": score}
    )
    scored = dict(pipeline.run(Query("risk crane")).scored)
    assert scored["x"] == 1.0
