"""Texts under their nodes' labels."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline.stages.context.passages import Passages, PassagesParams
from graphrag_pipeline.stages.tokens.scripts import Scripts
from tests.stages.context.scored import ranked, written
from tests.tiny import node


def passages(nodes: Any, budget: int = 10_000, **params: Any) -> Any:
    return written(Passages(PassagesParams(**params)), *ranked(nodes), budget)


ANN = node("a", "Ann", text="Ann keeps the register. She never sleeps. Her desk is by the door.")
BOB = node("b", "Bob", description="Bob sails.")


def test_each_text_stands_under_label_type_and_id():
    assert passages([ANN, BOB]).text == (
        "Ann (concept, id=a)\n  Ann keeps the register. She never sleeps. Her desk is by the door.\n"
        "Bob (concept, id=b)\n  Bob sails."
    )
    assert passages([BOB], ids=False, header="What is known:").text == (
        "What is known:\nBob (concept)\n  Bob sails."
    )


def test_the_text_that_does_not_fit_is_cut_at_the_end_of_a_sentence():
    whole = "Ann (concept, id=a)\n  Ann keeps the register. She never sleeps. Her desk is by the door."
    one = "Ann (concept, id=a)\n  Ann keeps the register. …"
    two = "Ann (concept, id=a)\n  Ann keeps the register. She never sleeps. …"
    assert passages([ANN], len(whole)).text == whole
    assert passages([ANN], len(whole) - 1).text == two
    assert passages([ANN], len(two) - 1).text == one
    assert passages([ANN], len(one) - 1).text == ""


def test_a_text_that_may_not_be_cut_is_passed_over_or_ends_it():
    room = len("Bob (concept, id=b)\n  Bob sails.") + 5
    over = passages([ANN, BOB], room, split="none")
    assert over.node_ids == ("b",)
    assert over.left_out == {"a": "too_long"}
    ended = passages([ANN, BOB], room, split="none", skip=False)
    assert ended.text == ""
    assert (ended.left_out, ended.rest) == ({"a": "too_long"}, "budget")


def test_a_node_without_a_text_is_left_out_or_has_its_label_written():
    nodes = [node("n", "Nil", text="  "), node("z", "Zero", text="\x00\n\x1b"), BOB]
    assert passages(nodes).left_out == {"n": "no_text", "z": "no_text"}
    assert passages(nodes, without_text="label").text.startswith(
        "Nil (concept, id=n)\nZero (concept, id=z)\nBob"
    )


def test_a_text_that_two_nodes_share_is_written_once():
    again = node("c", "Bob the sailor", summary="Bob\n sails. ")
    context = passages([BOB, again])
    assert context.node_ids == ("b",)
    assert context.left_out == {"c": "duplicate"}


def test_a_limit_for_one_text_cuts_it_or_leaves_it_out():
    head = "Ann (concept, id=a)\n  Ann keeps the register. …"
    assert passages([ANN, BOB], passage_tokens=len(head)).text == f"{head}\nBob (concept, id=b)\n  Bob sails."
    assert passages([ANN, BOB], passage_tokens=len(head) - 1).left_out == {"a": "too_long"}
    assert passages([ANN, BOB], passage_tokens=len(head), split="none").left_out == {"a": "too_long"}


def test_a_text_that_its_limit_has_cut_is_cut_further_where_the_budget_asks_for_it():
    two = "Ann (concept, id=a)\n  Ann keeps the register. She never sleeps. …"
    assert passages([ANN], passage_tokens=len(two)).text == two
    one = "Ann (concept, id=a)\n  Ann keeps the register. …"
    assert passages([ANN], len(two) - 1, passage_tokens=len(two)).text == one


def test_only_the_lines_of_nodes_start_at_the_margin():
    sly = node(
        "s", "Sly\nBob (concept, id=b)", text="One.\nBob (concept, id=b)\r\u2028Eve (concept, id=e)\n\n\n  x"
    )
    lines = passages([sly]).text.splitlines()
    assert lines[0] == "Sly Bob (concept, id=b) (concept, id=s)"
    assert all(line.startswith("  ") for line in lines[1:])
    assert len(lines) == 5


def test_a_blank_label_gives_way_to_the_id():
    assert passages([node("a", " \n", text="One.")], ids=False).text == "a (concept)\n  One."


def test_case_62_a_japanese_text_keeps_to_a_budget_of_real_tokens():
    sentence = "港の倉庫には古い地図が保管されている。"
    depot = node("d", "港", text=sentence * 40)
    context = written(Passages(), *ranked([depot]), 100, Scripts())
    sentences = context.text.count(sentence)
    # A sentence is 26 tokens to the costliest of the recorded tokenizers, and 25 within the text.
    assert 1 <= sentences <= 4
    assert sentences * 26 <= 100


def test_case_64_the_name_of_a_special_token_is_written_unchanged():
    text = "Delimiter is <|endoftext|> in this corpus"
    assert text in passages([node("a", text=text)]).text


@pytest.mark.parametrize(
    "wrong", [{"split": "word"}, {"passage_tokens": 0}, {"without_text": True}, {"pool": 0}]
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        PassagesParams.model_validate(wrong)
