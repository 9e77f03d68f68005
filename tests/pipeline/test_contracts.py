"""A component that breaks its contract is named, whatever it returns."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Context, Query, StageError, Verdict, ZachmanCell
from graphrag_pipeline.stages.contract import Seed
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum, WeightedSumParams
from tests.tiny import Answering, graph_of, node, pipeline_of

GRAPH = graph_of("a b c", "a>b b>c")
METHODS = {
    "seed": "retrieve",
    "expand": "expand",
    "filter": "keep",
    "score": "score",
    "context": "assemble",
}


class Odd:
    """A component of any kind that returns what a function makes of its last positional argument."""

    def __init__(self, method: str, make: Callable[..., Any]) -> None:
        setattr(self, method, make)


def run(slot: str, make: Callable[..., Any], query: Query | None = None, **rest: Any) -> Any:
    pipeline = pipeline_of(GRAPH, given={slot: Odd(METHODS[slot], make), **rest})
    return pipeline.trace(Query("a", max_hops=1) if query is None else query)


def refused(slot: str, make: Callable[..., Any], query: Query | None = None, **rest: Any) -> StageError:
    with pytest.raises(StageError) as error:
        run(slot, make, query, **rest)
    assert f"slot {slot}" in error.value.where
    assert "tests.pipeline.test_contracts.Odd" in error.value.what
    return error.value


# -- seeds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        (None, "returned NoneType, not a list of (node_id, score) pairs"),
        ({"a": 1.0}, "returned dict, not a list"),
        ((pair for pair in [("a", 1.0)]), "returned generator, not a list"),
        (np.array([["a", 1]]), "returned ndarray, not a list"),
        (["a"], "returned 'a', not a (node_id, score) pair"),
        ([("a",)], "not a (node_id, score) pair"),
        ([("a", 1.0, {}, 1)], "not a (node_id, score) pair"),
        ([("a", 1.0, "x")], "returned the evidence 'x', not a mapping of names to numbers"),
        ([("a", 1.0, {"": 1.0})], "not a mapping of names to numbers"),
        ([("a", 1.0, {"mention": float("inf")})], "returned inf for candidate 0; evidence 'mention' must"),
        ([("nobody", 1.0)], "returned the seed 'nobody', which is not a node of the graph"),
        ([(0, 1.0)], "returned the seed 0, which is not a node of the graph"),
        ([(["a"], 1.0)], "which is not a node of the graph"),
        ([("a", 1.0), ("a", 0.5)], "returned the seed 'a' twice"),
        ([("a", float("nan"))], "returned nan for candidate 0; scores must be finite"),
        ([("a", 1.0), ("b", float("-inf"))], "returned -inf for candidate 1; scores must be finite"),
        ([("a", None)], "returned scores that are no numbers but object"),
        ([("a", "high")], "returned scores that are no numbers"),
        ([("a", [1, 2])], "returned scores"),
        ([("a", 1j)], "returned scores that are no numbers"),
    ],
)
def test_seeds_must_be_known_nodes_once_with_finite_scores(seeds, said):
    assert said in refused("seed", lambda query, index, k: seeds).what


def test_no_more_seeds_than_k_may_be_returned():
    error = refused("seed", lambda query, index, k: [("a", 1), ("b", 1), ("c", 1)], Query("a", k=2))
    assert "returned 3 seeds where k is 2" in error.what


def test_pairs_of_any_make_are_seeds():
    for seeds in ([Seed("b", 1.0)], [["b", 1]], (("b", np.float32(0.5)),), [("b", True)]):
        assert run("seed", lambda query, index, k, seeds=seeds: seeds).result.nodes[0].node_id == "b"


# -- expanders ---------------------------------------------------------------------------------


def candidates(node: Any, parent: Any, edge: Any, hop: Any, dtype: Any = np.int64) -> Candidates:
    return Candidates.of(*(np.array(column, dtype=dtype) for column in (node, parent, edge, hop)))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "returned NoneType, not Candidates"),
        ([0, 1], "returned list, not Candidates"),
        (candidates([0, 1], [-1], [-1, 0], [0, 1]), "columns of different lengths"),
        (candidates([[0, 1]], [-1], [-1], [0]), "columns of different lengths"),
        (candidates([0, 3], [-1, 0], [-1, 0], [0, 1]), "node position outside the graph"),
        (candidates([-1], [-1], [-1], [0]), "node position outside the graph"),
        (candidates([0, 0], [-1, -1], [-1, -1], [0, 0]), "returned a candidate twice"),
        (candidates([0, 1], [-1, 0], [-1, 2], [0, 1]), "edge position outside the graph"),
        (candidates([0, 1], [-1, 0], [-1, -1], [0, 1]), "edge position outside the graph"),
        (candidates([1, 0], [0, -1], [0, -1], [1, 0]), "returned a child before its parent"),
        (candidates([1], [1], [0], [1]), "returned a child before its parent"),
        (candidates([1], [0], [0], [1]), "beyond hop 0 without its parent"),
        (candidates([0, 1], [-1, -1], [-1, 0], [0, 1]), "beyond hop 0 without its parent"),
        (candidates([0, 1], [-1, 0], [-1, 0], [0, 0]), "returned a seed with a parent"),
        (candidates([0, 1], [-1, -1], [-1, -1], [0, -2]), "hop"),
        (candidates([0.0, 1.0], [-1, 0], [-1, 0], [0, 1], np.float64), "not of whole numbers"),
    ],
)
def test_candidates_must_be_nodes_once_parents_first(found, said):
    assert said in refused("expand", lambda seeds, query, index: found).what


def test_an_expander_may_drop_seeds_and_find_nothing():
    assert run("expand", lambda seeds, query, index: candidates([], [], [], [])).result.nodes == ()
    nothing = candidates([], [], [], [], np.float64)
    query = Query("a", cell=ZachmanCell.from_coordinate("architect:how"))
    assert run("expand", lambda seeds, query, index: nothing, query).result.nodes == ()
    both = Query("a b", max_hops=0)
    trace = run("expand", lambda seeds, query, index: candidates([1], [-1], [-1], [0]), both)
    assert [found.node_id for found in trace.result.nodes] == ["b"]


def test_a_candidate_at_hop_0_must_be_one_of_the_seeds():
    error = refused("expand", lambda seeds, query, index: candidates([2], [-1], [-1], [0]))
    assert "returned a candidate at hop 0 that is not one of the seeds" in error.what


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            candidates([0, 1], [-1, 0], [-1, 1], [0, 1]),
            "an edge that does not join a candidate and its parent",
        ),
        (
            candidates([0, 2], [-1, 0], [-1, 1], [0, 1]),
            "an edge that does not join a candidate and its parent",
        ),
        (candidates([0, 1], [-1, 0], [-1, 0], [0, 2]), "a hop that is not its parent's hop plus one"),
        (
            candidates([0, 1, 2], [-1, 0, 1], [-1, 0, 1], [0, 1, 1]),
            "a hop that is not its parent's hop plus one",
        ),
    ],
)
def test_a_candidate_must_be_one_edge_and_one_hop_from_its_parent(found, said):
    assert refused("expand", lambda seeds, query, index: found).what.endswith(f"returned {said}.")


def test_the_edge_to_a_candidate_may_point_either_way():
    query = Query("b", max_hops=1)
    trace = run(
        "expand", lambda seeds, query, index: candidates([1, 0, 2], [-1, 1, 1], [-1, 0, 1], [0, 1, 1]), query
    )
    assert trace.result.paths == (("b",), ("b", "a"), ("b", "c"))


@pytest.mark.parametrize("column", ["node", "parent", "edge", "hop", "score"])
def test_the_columns_of_candidates_cannot_be_written_to(column):
    def score(signals: Any, weights: Any, candidates: Candidates) -> Any:
        getattr(candidates, column)[:] = 0
        return [0.5] * len(candidates)

    error = refused("score", score)
    assert "failed: ValueError: assignment destination is read-only" in error.what


def test_an_expander_that_writes_to_its_seeds_is_refused():
    def expand(seeds: Any, query: Query, index: Any) -> Candidates:
        seeds.node[:] = 2
        return Candidates.seeds(seeds.node)

    assert "failed: ValueError: assignment destination is read-only" in refused("expand", expand).what


@pytest.mark.parametrize("name", [3, ""])
def test_evidence_of_an_expander_has_names(name):
    def expand(seeds: Any, query: Query, index: Any) -> Candidates:
        return Candidates.of(
            seeds.node, seeds.parent, seeds.edge, seeds.hop, evidence={name: np.ones(len(seeds))}
        )

    assert "returned evidence by the names" in refused("expand", expand).what


def test_a_scorer_that_writes_to_a_signal_is_refused():
    def score(signals: Any, weights: Any, candidates: Candidates) -> Any:
        signals["baseline"][:] = 9
        return signals["baseline"]

    assert "failed: ValueError: assignment destination is read-only" in refused("score", score).what


def test_what_a_component_keeps_of_its_columns_is_still_its_own():
    kept = np.array([0], dtype=np.int64)
    pipeline_of(
        GRAPH, given={"expand": Odd("expand", lambda seeds, query, index: Candidates.seeds(kept))}
    ).run("a")
    kept[0] = 2
    assert kept.tolist() == [2]


# -- filters -----------------------------------------------------------------------------------


def verdict(keep: Any, reason: Any, reasons: Any = ("odd",)) -> Verdict:
    return Verdict(keep, reason, reasons)


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        (True, "returned bool, not a Verdict or None"),
        (np.array([True, True]), "returned ndarray, not a Verdict or None"),
        (verdict(np.array([True]), np.array([0])), "returned a mask of bool (1,), not of bool (2,)"),
        (verdict(np.array([1, 0]), np.array([0, 0])), "returned a mask of int64"),
        (verdict(np.array([[True, False]]), np.array([0, 0])), "returned a mask of bool (1, 2)"),
        (verdict(None, np.array([0, 0])), "returned a mask of object"),
        (verdict(np.array([True, False]), np.array([0, 1])), "dropped a candidate without a reason"),
        (verdict(np.array([True, False]), np.array([0, -1])), "dropped a candidate without a reason"),
        (verdict(np.array([True, False]), np.array([0])), "dropped a candidate without a reason"),
        (verdict(np.array([True, False]), np.array([0, 0]), ()), "dropped a candidate without a reason"),
        (verdict(np.array([True, False]), None), "dropped a candidate without a reason"),
        (verdict(np.array([True, False]), np.array([0.0, 0.0])), "dropped a candidate without a reason"),
    ],
)
def test_a_verdict_must_have_a_bool_for_each_and_a_reason_for_each_drop(judged, said):
    assert said in refused("filter", lambda candidates, query, index: judged).what


def test_a_reason_is_read_only_where_a_candidate_is_dropped():
    judged = verdict(np.array([True, False]), np.array([99, 0]))
    trace = run("filter", lambda candidates, query, index: judged if len(candidates) == 2 else None)
    assert list(trace.slots[2].dropped()) == [("b", "odd")]


def test_a_verdict_of_plain_lists_is_as_good():
    def keep(candidates: Any, query: Query, index: Any) -> Verdict:
        return verdict([place == 0 for place in range(len(candidates))], [0] * len(candidates), ["odd"])

    trace = run("filter", keep)
    assert [found.node_id for found in trace.result.nodes] == ["a"]
    assert list(trace.slots[2].dropped()) == [("b", "odd")]
    assert trace.slots[2].drop_counts() == {"odd": 1}
    assert trace.slots[2].to_dict()["dropped"] == [["b", "odd"]]


def test_a_filter_sees_extras_as_candidates_of_a_small_graph():
    seen: list[list[str]] = []

    def keep(candidates: Any, query: Query, index: Any) -> None:
        seen.append([index.node(place).label for place in candidates.node])

    run("filter", keep, bridge=Answering({"nodes": [node("x", "X").to_dict()]}))
    assert seen == [["a", "b"], ["a", "b"], ["X"]]


# -- signals and scorers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (None, "returned scores"),
        (0.5, "returned scores of shape () for 2 candidates"),
        ([0.5], "returned scores of shape (1,) for 2 candidates"),
        ([[0.5, 0.5]], "returned scores of shape (1, 2)"),
        ([0.5, float("nan")], "returned nan for candidate 1; scores must be finite"),
        ([float("inf"), 0.5], "returned inf for candidate 0; scores must be finite"),
        (["a", "b"], "returned scores that are no numbers but <U1"),
        (["0.5", "0.5"], "returned scores that are no numbers but <U3"),
        (np.array([0.5, None]), "returned scores that are no numbers but object"),
        ({"a": 1}, "returned scores that are no numbers but object"),
    ],
)
def test_scores_must_be_one_finite_number_for_each(scores, said):
    assert said in refused("score", lambda signals, weights, candidates: scores).what


def test_scores_may_be_a_list_of_whole_numbers():
    assert run("score", lambda signals, weights, candidates: [2, 3]).result.scored == (("b", 3.0), ("a", 2.0))


SIGNAL = """
from graphrag_pipeline import Component, Params, hookimpl

class Odd(Component):
    name = "odd_signal"
    Params = Params
    def compute(self, candidates, query, index):
        return {value}

@hookimpl
def graphrag_register_signals():
    return [Odd]
"""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("None", "returned values"),
        ("[1.0]", "returned values of shape (1,) for 2 candidates"),
        ("[1.0, float('nan')]", "returned nan for candidate 1; values must be finite"),
        ("'high'", "returned values that are no numbers but <U4"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_signals_values_must_be_one_finite_number_for_each(tmp_path, value, said):
    from graphrag_pipeline.plugin.host import PluginHost

    plugin = tmp_path / "odd_signal_plugin.py"
    plugin.write_text(SIGNAL.format(value=value))
    host = PluginHost.discover(entry_points=False, environ={}, files=[plugin], strict=True)
    params = WeightedSumParams(weights={"baseline": 1.0, "odd_signal": 1.0})
    with pytest.raises(StageError) as error:
        pipeline_of(GRAPH, host=host, params={"score": params}).run(Query("a", max_hops=1))
    assert said in error.value.what
    assert "slot score" in error.value.where


def test_a_values_error_names_the_signal(tmp_path):
    from graphrag_pipeline.plugin.host import PluginHost

    plugin = tmp_path / "odd_signal_plugin.py"
    plugin.write_text(SIGNAL.format(value="1 / 0"))
    host = PluginHost.discover(entry_points=False, environ={}, files=[plugin], strict=True)
    params = WeightedSumParams(weights={"baseline": 1.0, "odd_signal": 1.0})
    with pytest.raises(StageError, match="odd_signal"):
        pipeline_of(GRAPH, host=host, params={"score": params}).run("a")


# -- contexts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (None, "returned NoneType, not a Context"),
        ("text", "returned str, not a Context"),
        (Context("x", 3), "says it wrote 3 of 2 nodes"),
        (Context("x", -1), "says it wrote -1 of 2 nodes"),
        (Context(None, 1), "text"),  # type: ignore[arg-type]
        (Context(b"x", 1), "text"),  # type: ignore[arg-type]
    ],
)
def test_a_context_must_be_text_and_a_number_of_nodes(context, said):
    assert said in refused("context", lambda scored, query, index, counter, budget: context).what


def test_a_context_gets_every_node_best_first_and_the_budget():
    got: list[Any] = []

    def assemble(scored: Any, query: Query, index: Any, counter: Any, budget: int) -> Context:
        got.extend([(entry.node.node_id, entry.score) for entry in scored])
        got.append((counter.count("12345"), budget))
        return Context("x", 2)

    trace = run("context", assemble)
    assert got == [("a", 0.6), ("b", 0.1), (2, 2000)]
    assert (trace.result.context_text, trace.slots[-1].cut) == ("x", 0)


# -- every kind --------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", METHODS)
@pytest.mark.parametrize(
    "error",
    [
        *(
            ValueError("odd"),
            KeyError("odd"),
            SystemExit("odd"),
            RecursionError("odd"),
            CancelledError("odd"),
        ),
        pytest.skip.Exception("odd"),
    ],
)
def test_whatever_a_stage_raises_is_an_error_that_names_slot_component_and_cause(slot, error):
    def fail(*_: Any) -> Any:
        raise error

    caught = refused(slot, fail)
    assert f"{type(error).__name__}: {error}" in caught.what
    assert caught.__cause__ is error


@pytest.mark.parametrize("slot", METHODS)
def test_a_stages_own_error_keeps_its_words(slot):
    def fail(*_: Any) -> Any:
        raise StageError("The index is stale.", where="my file", hint="Rebuild it.")

    with pytest.raises(StageError, match=r"The index is stale\.") as error:
        run(slot, fail)
    assert error.value.hint == "Rebuild it."


def test_a_scorer_of_ones_own_takes_the_weights_of_its_slot():
    class Counting(WeightedSum):
        def score(self, signals: Any, weights: Any, candidates: Candidates) -> Any:
            return [len(weights)] * len(candidates)

    pipeline = pipeline_of(
        GRAPH, given={"score": Counting()}, params={"score": WeightedSumParams(weights={"baseline": 0.5})}
    )
    assert pipeline.run("a").scored[0][1] == 1.0


def test_a_query_is_not_changed_by_a_stage():
    query = Query("a", cell=ZachmanCell.from_coordinate("architect:how"))
    before = replace(query)
    pipeline_of(GRAPH).run(query)
    assert query == before
