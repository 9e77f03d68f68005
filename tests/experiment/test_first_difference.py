"""Where two runs of a query part: the step, the node and both values are named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphrag_pipeline import Query
from graphrag_pipeline.experiment.first_difference import FirstDifference, first_difference
from graphrag_pipeline.experiment.recorded_steps import QuerySteps, read_steps
from graphrag_pipeline.experiment.recording import ROW_LIMIT, Recorder, before_records, behind_records
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.scored import Context
from tests.tiny import Answering, edge, index_of, node, pipeline_of

SLOTS = ("seed", "expand", "filter", "score", "bridge", "filter", "context")


def left_by(pipeline, query) -> list[WorkingSet]:
    left: list[WorkingSet] = []
    pipeline.trace(query, after=lambda _slot, working: left.append(working))
    return left


@pytest.fixture
def left(index) -> list:
    """The working sets of one query, step by step."""
    return left_by(pipeline_of(index), "audit")


@pytest.fixture
def parted(index, left, tmp_path):
    """Compare the query with one whose working sets are others from a step on."""

    def compare(step: int, change, *, same_graph: bool = True) -> FirstDifference | None:
        changed = [*left[:step], *map(change, left[step:])]
        one, other = (_written(tmp_path, index, working) for working in (left, changed))
        return first_difference(one, other, same_graph=same_graph)

    return compare


def _written(directory: Path, index, working) -> QuerySteps:
    recorder = Recorder(index)
    steps = recorder.steps()
    for left in working:
        steps("", left)
    record = recorder.record("q", steps).content
    content = before_records(index, SLOTS) + record + behind_records(index, recorder.met)
    (directory / "steps").write_bytes(content)
    (found,) = read_steps(directory / "steps")
    return found


def with_column(name: str, values) -> Callable[[WorkingSet], WorkingSet]:
    def change(working):
        return replace(working, candidates=replace(working.candidates, **{name: np.array(values)}))

    return change


def test_equal_steps_have_none(parted):
    assert parted(0, lambda working: working) is None
    assert parted(0, lambda working: working, same_graph=False) is None


def test_a_score_is_named_with_both_values(parted):
    found = parted(3, with_column("score", [0.6, 0.1, np.nextafter(0.1, 1)]))
    assert found == FirstDifference("q", "score", 4, "ledger", "score", "0.1", "0.10000000000000002", also=())


@pytest.mark.parametrize("same_graph", [True, False])
def test_a_node_that_only_one_has_is_named(parted, same_graph):
    def without_board(working):
        return replace(working, candidates=working.candidates.keep(np.array([True, False, True])))

    found = parted(2, without_board, same_graph=same_graph)
    assert found is not None
    assert (found.slot, found.step, found.node, found.what) == ("filter", 3, "board", "place")
    assert (found.first, found.second) == ("place 2", "not there")


def test_a_node_that_only_the_second_has_is_named(index, tmp_path):
    short, long = (_traced(tmp_path, index, Query("audit", max_hops=hops)) for hops in (1, 2))
    found = first_difference(short, long, same_graph=True)
    assert found is not None
    assert (found.slot, found.node, found.first, found.second) == ("expand", "ledger", "not there", "place 3")
    assert "score" in found.also


def _traced(directory: Path, index, query: Query, **stages) -> QuerySteps:
    return _written(directory, index, left_by(pipeline_of(index, given=stages or None), query))


def test_another_order_is_named(parted):
    found = parted(1, with_column("node", [0, 2, 1]))
    assert found is not None
    assert (found.slot, found.node, found.first, found.second) == ("expand", "board", "place 2", "place 3")


@pytest.mark.parametrize(
    ("column", "values", "node_id", "what", "first", "second"),
    [
        ("parent", [-1, 0, 0], "ledger", "found from", "board", "audit"),
        ("parent", [-1, -1, 1], "board", "found from", "audit", "—"),
        ("hop", [0, 1, 3], "ledger", "hop", "2", "3"),
        ("edge", [-1, 0, 7], "ledger", "found over edge", "1", "7"),
    ],
)
def test_how_a_node_was_found_is_named(parted, column, values, node_id, what, first, second):
    found = parted(1, with_column(column, values))
    assert found is not None
    assert (found.node, found.what, found.first, found.second) == (node_id, what, first, second)


def test_edges_mean_nothing_in_another_graph(parted):
    assert parted(1, with_column("edge", [-1, 5, 7]), same_graph=False) is None


def test_a_signal_without_a_score_is_named(parted):
    def louder(working):
        signals = {**working.candidates.signals, "baseline": np.array([1.0, 1.0, 2.0])}
        return replace(working, candidates=replace(working.candidates, signals=signals))

    found = parted(3, louder)
    assert found is not None
    assert (found.slot, found.node, found.what) == ("score", "", "signals")
    assert found.first.startswith("baseline checksum ")
    assert found.first != found.second


def test_a_score_goes_before_the_signals_of_an_earlier_step(index, left, tmp_path):
    def louder(working):
        signals = {**working.candidates.signals, "baseline": np.array([1.0, 1.0, 2.0])}
        return replace(working, candidates=replace(working.candidates, signals=signals))

    changed = [*left[:3], louder(left[3]), *map(with_column("score", [0.6, 0.1, 0.2]), left[4:])]
    one, other = (_written(tmp_path, index, working) for working in (left, changed))
    found = first_difference(one, other, same_graph=True)
    assert found is not None
    assert (found.slot, found.what, found.also) == ("bridge", "score", ("signals of step 4",))


def test_a_signal_that_one_has_not_is_told(parted):
    def without(working):
        signals = {name: column for name, column in working.candidates.signals.items() if name != "baseline"}
        return replace(working, candidates=replace(working.candidates, signals=signals))

    found = parted(3, without)
    assert found is not None
    assert found.second == "baseline not there"


def test_the_first_line_of_a_context_that_differs_is_shown(parted):
    def shorter(working):
        return replace(working, context=Context(working.context.text.split("\n")[0] + "\nanother line"))

    found = parted(6, shorter)
    assert found is not None
    assert (found.slot, found.what, found.second) == ("context", "context, line 2", "another line")
    assert "audit log" in found.first


def test_what_a_bridge_adds_is_compared(index, tmp_path):
    answers = [{"nodes": [node(name).to_dict()], "edges": [], "paths": []} for name in ("one", "two")]
    one, two = (_traced(tmp_path, index, Query("audit"), bridge=Answering(answer)) for answer in answers)
    found = first_difference(one, two, same_graph=True)
    assert found is not None
    assert (found.slot, found.step, found.what) == ("bridge", 5, "extras")
    assert '"one"' in found.first
    assert '"two"' in found.second


def test_a_difference_behind_the_recorded_rows_is_noticed(tmp_path):
    index = index_of([node(f"n{number}", "tea") for number in range(ROW_LIMIT + 2)])
    left = left_by(pipeline_of(index), Query("tea", k=ROW_LIMIT + 2))
    scores = left[3].candidates.score.copy()
    scores[-1] = 0.9
    changed = [*left[:3], *map(with_column("score", scores), left[3:])]
    one, other = (_written(tmp_path, index, working) for working in (left, changed))
    found = first_difference(one, other, same_graph=True)
    assert found is not None
    assert (found.slot, found.node, found.what) == ("score", "", "score")
    assert "behind the first 1000" in found.first


def test_nodes_of_two_graphs_are_compared_by_id(tmp_path):
    nodes = [node("audit", "audit log"), node("board")]
    small = index_of(nodes, [edge("audit>board")])
    large = index_of([node("new"), *nodes], [edge("audit>board")])
    one, other = (_traced(tmp_path, index, Query("audit")) for index in (small, large))
    assert first_difference(one, other, same_graph=False) is None


def test_another_order_of_slots_is_told(index, left, tmp_path):
    one = _written(tmp_path, index, left)
    other = replace(one, steps=(one.steps[0], replace(one.steps[1], slot="recall"), *one.steps[2:]))
    found = first_difference(one, other, same_graph=True)
    assert found is not None
    assert (found.step, found.what, found.first, found.second) == (2, "slot", "expand", "recall")
