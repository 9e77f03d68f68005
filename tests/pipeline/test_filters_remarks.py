"""What is said when a filter leaves few candidates, and what rules cost in recall."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query, StageError, Trace, Verdict, ZachmanCell
from graphrag_pipeline.pipeline.recall_cost import recall_cost
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.expand.bfs import BreadthFirstParams
from graphrag_pipeline.stages.filters.rules.shape import RulesParams
from graphrag_pipeline.stages.filters.zachman import ZachmanFilterParams
from tests.tiny import Answering, graph_of, node, pipeline_of

HOST = PluginHost.discover(entry_points=False, environ={})
CELLS = ["architect:how", "architect:who", "engineer:how", "engineer:how", "enterprise:when", None]
GRAPH = graph_of(
    [
        node(f"n{at}", "audit", status="old" if at % 2 else "new", zachman_cell=cell)
        for at, cell in enumerate(CELLS)
    ]
)
HOW = ZachmanCell.from_coordinate("architect:how")


def ask(
    order: str = "seed filter",
    rule: dict[str, Any] | None = None,
    match: str = "cell",
    filter_object: object = None,
    **query: Any,
) -> Trace:
    params = ZachmanFilterParams.model_validate({"match": match})
    spec = ComponentSpec("filter", "zachman", params)
    if rule is not None:
        spec = ComponentSpec("filter", "rules", RulesParams.model_validate({"rule": rule}))
    given = {} if filter_object is None else {"filter": filter_object}
    pipeline = pipeline_of(GRAPH, order, host=HOST, slots={"filter": spec}, given=given)
    return pipeline.trace(Query("audit", **query))


def test_the_reference_filter_is_told_with_the_nearest_cells():
    assert ask(cell=HOW, k=6).slots[1].remarks == (
        "1 of 6 candidates are left, fewer than k = 6",
        "nearest cells that would keep some: engineer:how (2), architect:who (1), enterprise:when (1)",
    )
    assert ask(cell=HOW, k=6, match="perspective").slots[1].remarks[1] == (
        "nearest cells that would keep some: engineer:* (2), enterprise:* (1)"
    )


def test_where_none_is_left_it_says_so():
    cell = ZachmanCell.from_coordinate("executive:why")
    told = ask(cell=cell, k=6).slots[1].remarks
    assert told[0] == "0 of 6 candidates are left"
    assert told[1].startswith("nearest cells that would keep some: architect:how (1), architect:who (1), ")


def test_enough_candidates_and_a_filter_that_drops_none_need_no_remark():
    assert ask(cell=HOW, k=1, match="perspective").slots[1].remarks == ()
    assert ask(rule={"all": []}, k=10).slots[1].remarks == ()
    assert ask(k=10).slots[1].remarks == ()  # without a cell the filter does not apply


def test_a_filter_that_runs_again_and_drops_nothing_says_nothing_again():
    trace = ask("seed filter score filter", cell=HOW)
    assert [bool(step.remarks) for step in trace.slots] == [False, True, False, False]


def test_rules_without_cells_name_no_cells():
    rule = {"property": {"key": "status", "eq": "gone"}}
    assert ask(rule=rule, k=6, cell=HOW).slots[1].remarks == ("0 of 6 candidates are left",)


def test_remarks_are_part_of_the_trace():
    told = ask(cell=HOW, k=6).to_dict()["slots"]
    assert [len(step["remarks"]) for step in told] == [0, 2]


class Third:
    """A plugin's filter."""

    advice: Any = ("try another",)

    def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict:
        mask = np.arange(len(candidates)) == 2
        return Verdict(mask, np.zeros(mask.size, dtype=np.int64), ("not_third",))

    def remarks(self, candidates: Candidates, query: Query, index: GraphIndex) -> Any:
        if isinstance(self.advice, Exception):
            raise self.advice
        return self.advice


def test_a_plugins_filter_may_give_advice_and_need_not():
    assert ask(filter_object=Third()).slots[1].remarks[1:] == ("try another",)

    class Silent:
        keep = Third.keep

    assert len(ask(filter_object=Silent()).slots[1].remarks) == 1


@pytest.mark.parametrize("advice", ["text", [1], None])
def test_advice_that_is_no_list_of_texts_is_refused(advice):
    third = Third()
    third.advice = advice
    with pytest.raises(StageError, match="returned the remarks"):
        ask(filter_object=third)


def test_advice_that_raises_is_the_filters_fault():
    third = Third()
    third.advice = KeyError("x")
    with pytest.raises(StageError, match=r"The filter '.*Third' failed: KeyError"):
        ask(filter_object=third)


# -- recall --------------------------------------------------------------------------------------


def test_each_rule_is_charged_with_the_relevant_nodes_it_dropped():
    rule = {"all": [{"property": {"key": "status", "eq": "old"}}, {"cell": {"match": "perspective"}}]}
    trace = ask(rule=rule, cell=HOW, k=6)
    costs = recall_cost(trace, ["n0", "n3", "n5", "n1", "unknown"])
    assert [(cost.step, cost.slot, cost.reason, cost.dropped, cost.relevant) for cost in costs] == [
        (1, "filter", "property status", 3, ("n0",)),
        (1, "filter", "cell: no_cell", 1, ("n5",)),
        (1, "filter", "cell: other_perspective", 1, ("n3",)),
    ]
    assert costs[0].to_dict() == {
        "step": 1,
        "slot": "filter",
        "reason": "property status",
        "dropped": 3,
        "relevant": ["n0"],
    }


def test_gates_and_extras_are_charged_too():
    answer = {"nodes": [node("x").to_dict()]}
    spec = ComponentSpec("filter", "rules", RulesParams.model_validate({"rule": {"property": {"key": "v"}}}))
    graph = graph_of([node("a", "audit", v=1), node("b"), node("c")], "a>b b>c")
    pipeline = pipeline_of(
        graph,
        "seed expand bridge filter",
        host=HOST,
        slots={"filter": spec},
        params={"expand": BreadthFirstParams(gate="filter")},
        given={"bridge": Answering(answer)},
    )
    costs = recall_cost(pipeline.trace("audit"), {"b", "c", "x"})
    assert [(cost.step, cost.slot, cost.relevant) for cost in costs] == [
        (1, "expand", ("b",)),
        (3, "filter", ("x",)),
    ]


def test_a_query_that_dropped_nothing_costs_nothing():
    assert recall_cost(ask("seed"), {"n0"}) == ()
