"""What the trace says of a context: its size, and why nodes are not in it."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline import Context, StageError
from graphrag_pipeline.cli.result_view import show
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.stages.context.bullets import BulletsParams
from graphrag_pipeline.stages.context.passages import PassagesParams
from tests.tiny import graph_of, node, pipeline_of

NODES = [
    node("n1", text="Ships leave. They return."),
    node("n2"),
    node("n3", text="Ships leave. They return."),
    node("n4", text="x" * 500),
]


def traced(context: object = None, use: str = "bullets", params: Any = None) -> Any:
    slots = {} if params is None else {"context": ComponentSpec("context_assembler", use, params)}
    given = {} if context is None else {"context": context}
    return pipeline_of(graph_of(NODES), "seed context", slots=slots, given=given).trace("n")


class Fixed:
    """An assembler with one answer."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def assemble(self, scored: Any, query: Any, index: Any, counter: Any, budget: int) -> Context:
        return self.context


def test_every_node_is_written_or_left_out_for_a_reason():
    trace = traced(use="passages", params=PassagesParams(max_tokens=30))
    report = trace.slots[-1].context
    assert report.counts() == {"duplicate": 1, "no_text": 1, "too_long": 1}
    assert list(report) == [("n2", "no_text"), ("n3", "duplicate"), ("n4", "too_long")]
    assert trace.slots[-1].cut == len(report) == 3
    assert trace.slots[-1].to_dict()["context"] == {
        "tokens": 12,
        "budget": 30,
        "written": 1,
        "counts": {"duplicate": 1, "no_text": 1, "too_long": 1},
        "left_out": [["n2", "no_text"], ["n3", "duplicate"], ["n4", "too_long"]],
    }


def test_the_reference_leaves_out_the_worst_for_the_budget():
    report = traced(params=BulletsParams(max_tokens=24)).slots[-1].context
    assert report.counts() == {"budget": 2}
    assert list(report) == [("n3", "budget"), ("n4", "budget")]


def test_a_plugins_context_says_no_more_than_how_many_it_wrote():
    report = traced(Fixed(Context("text", 3))).slots[-1].context
    assert (list(report), report.counts()) == ([("n4", "budget")], {"budget": 1})


def test_reasons_of_ones_own_are_kept():
    context = Context("text", 2, ("n4", "n1"), {"n2": "boring"}, "late")
    report = traced(Fixed(context)).slots[-1].context
    assert (list(report), report.counts()) == ([("n2", "boring"), ("n3", "late")], {"boring": 1, "late": 1})


def test_case_59_an_empty_context_is_one_remark():
    assert traced(params=BulletsParams(max_tokens=1, keep_top=False)).slots[-1].remarks == (
        "the context is empty: 4 budget",
    )
    (remark,) = traced(use="passages", params=PassagesParams(max_tokens=1)).slots[-1].remarks
    assert remark == "nothing fits: the best entry takes 12 tokens, and there are 1"


def test_a_text_over_the_budget_is_a_remark():
    (remark,) = traced(params=BulletsParams(max_tokens=1)).slots[-1].remarks
    assert remark == "the text takes 17 tokens, more than the budget of 1"
    assert traced(params=BulletsParams(max_tokens=17)).slots[-1].remarks == ()


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (Context("x", 2, ("n1",)), "says it wrote 2 nodes and names 1"),
        (Context("x", 3, None, {"n1": "a", "n2": "b"}), "gives reasons for 2 of 1 nodes"),
    ],
)
def test_a_context_that_contradicts_itself_is_refused(context, said):
    with pytest.raises(StageError, match=said):
        traced(Fixed(context))


def test_explain_lists_who_was_left_out_for_another_reason_than_the_budget(capsys):
    trace = traced(use="passages", params=PassagesParams(max_tokens=30))
    show(trace, trace.index, top=1, explain=True)
    out = capsys.readouterr().out
    assert "left 3 nodes out of the context: 1 duplicate, 1 no_text, 1 too_long" in out
    assert "left out by context, no_text: n2\n" in out


def test_explain_says_of_the_budget_how_many(capsys):
    trace = traced(params=BulletsParams(max_tokens=24))
    show(trace, trace.index, top=1, explain=True)
    out = capsys.readouterr().out
    assert "left 2 nodes out of the context: over the token budget" in out
    assert "left out by" not in out
