"""The bullet list and its budget."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import Context, KnowledgeNode, Query, ScoredNode
from graphrag_pipeline.stages.context.bullets import HEADER, Bullets, BulletsParams
from graphrag_pipeline.stages.tokens.chars4 import Chars4
from tests.tiny import index_of, node


def assemble(labels: list[str], budget: int, keep_top: bool = True) -> Context:
    scored = [ScoredNode(node(f"n{place}", label), 1 - place / 8) for place, label in enumerate(labels)]
    return Bullets(BulletsParams(keep_top=keep_top)).assemble(
        scored, Query("x"), index_of(), Chars4(), budget
    )


def length(labels: list[str]) -> int:
    return len(assemble(labels, 10_000).text)


def test_a_line_is_score_label_type_and_id():
    assert assemble(["Ann", ""], 2000).text == (
        "[GraphRAG context — top-scored nodes]\n- [1.00] Ann (concept, id=n0)\n- [0.88]  (concept, id=n1)"
    )


def test_a_text_of_exactly_the_budget_is_whole():
    labels = ["a" * 20, "b" * 20]
    while length(labels) % 4:
        labels[1] += "b"
    budget = length(labels) // 4
    assert assemble(labels, budget).written == 2
    assert len(assemble(labels, budget).text) == budget * 4
    labels[1] += "b"
    assert assemble(labels, budget).written == 1


def test_the_best_node_is_written_even_when_it_alone_passes_the_budget():
    context = assemble(["a" * 500, "b"], 1)
    assert context.written == 1
    assert context.text.count("\n") == 1


def test_the_best_node_is_cut_too_when_the_budget_is_to_be_kept():
    assert assemble(["a" * 500, "b"], 1, keep_top=False) == Context("", 0)
    assert assemble(["a"], 10, keep_top=False) == Context("", 0)


def test_a_shorter_line_after_one_that_does_not_fit_is_not_written():
    assert assemble(["a", "b" * 500, "c"], 40).written == 1


@given(st.lists(st.text(max_size=40), min_size=1, max_size=60), st.integers(1, 400), st.booleans())
def test_the_text_is_what_the_reference_writes(labels, budget, keep_top):
    context = assemble(labels, budget, keep_top)
    lines = [HEADER]
    for place, label in enumerate(labels):
        line = f"- [{1 - place / 8:.2f}] {label} (concept, id=n{place})"
        if len("\n".join([*lines, line])) > budget * 4 and (place > 0 or not keep_top):
            break
        lines.append(line)
    assert context.written == len(lines) - 1
    assert context.text == ("\n".join(lines) if len(lines) > 1 else "")


@pytest.mark.parametrize("wrong", [{"max_tokens": 0}, {"max_tokens": -5}, {"max_tokens": "many"}])
def test_a_budget_is_at_least_one_token(wrong):
    with pytest.raises(ValueError, match="max_tokens"):
        BulletsParams.model_validate(wrong)


def test_line_breaks_in_labels_are_kept_unless_one_line_a_node_is_asked_for():
    odd = ScoredNode(KnowledgeNode("a\nid", "t", "one\r\n- [1.00] two\u2028three"), 0.5)
    for single, line in (
        (False, "- [0.50] one\r\n- [1.00] two\u2028three (t, id=a\nid)"),
        (True, "- [0.50] one - [1.00] two three (t, id=a id)"),
    ):
        component = Bullets(BulletsParams(single_line=single))
        context = component.assemble([odd], Query("x"), index_of(), Chars4(), 100)
        assert context.text.split("\n", 1)[1] == line
        assert context.written == 1
    assert BulletsParams().single_line is False
