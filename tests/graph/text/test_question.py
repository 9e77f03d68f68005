"""What a query mentions, and what is left of it."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline import GraphIndex, KnowledgeNode
from graphrag_pipeline.graph.text.question import Question
from graphrag_pipeline.graph.text.settings import MentionSettings, TextSettings
from tests.tiny import index_of, node


def ask(index: GraphIndex, text: str) -> Question:
    return index.text.ask(text)


def named(index: GraphIndex, text: str) -> list[tuple[str, list[str]]]:
    """The mentions of a text: their words, and the ids they may mean."""
    question = ask(index, text)
    return [
        (
            " ".join(word.text for word in question.words[mention.start : mention.end]),
            index.ids_at(mention.node),
        )
        for mention in question.mentions
    ]


def films() -> GraphIndex:
    return index_of(
        [
            node("q1", "Midnight Court (film)", aliases=["The Midnight Trial"]),
            node("q2", "Frank McDonald"),
            node("q3", "The King"),
            node("q4", "King of Spain"),
            node("q5", "Frank"),
            node("q6", "Árbenz, Jacobo Guzmán"),
            node("q7", "北条"),
        ]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who directed Midnight Court?", [("midnight court", ["q1"])]),
        ("Who made the midnight trial", [("the midnight trial", ["q1"])]),
        ("Is Frank McDonald's father known?", [("frank mc donald", ["q2"])]),
        ("was it the King of Spain", [("king of spain", ["q4"])]),
        ("arbenz jacobo guzman", [("arbenz jacobo guzman", ["q6"])]),
        ("北条の港", [("北 条", ["q7"])]),
        ("nobody here", []),
        ("", []),
    ],
)
def test_the_longest_names_are_found_however_they_are_written(text, expected):
    assert named(films(), text) == expected


def test_of_names_that_overlap_the_longer_counts_then_the_first():
    index = index_of([node("a", "red green"), node("b", "green blue"), node("c", "blue pink grey")])
    assert named(index, "red green blue pink grey") == [("red green", ["a"]), ("blue pink grey", ["c"])]
    assert named(index, "red green blue") == [("red green", ["a"])]


@pytest.mark.parametrize(
    ("label", "text", "named_by"),
    [
        ("2.3.1. Orders", "who keeps orders", ["a"]),
        ("4) Orders", "1.2 Orders", ["a"]),
        ("2.3 Orders", "2.3 orders", ["a"]),
        ("12 Orders", "who keeps orders", []),
        ("1.5", "is it 1.5", ["a"]),
    ],
)
def test_a_label_names_its_node_without_its_outline_number(label, text, named_by):
    assert [ids for _, ids in named(index_of([node("a", label)]), text)] == ([named_by] if named_by else [])


def test_a_name_is_no_heavier_for_being_written_together():
    index = index_of(
        [node("a", text="LiHua sings"), node("b", text="Li reads"), *(node(f"n{n}", "x") for n in range(8))]
    )
    postings = index.text.postings
    codes, counts = ask(index, "LiHua sings").terms
    assert [postings.terms[code] for code in codes.tolist()] == ["li", "hua", "lihua", "sing"]
    idf = postings.idf[codes]
    assert counts[0] == counts[1] == counts[2] < counts[3] == 1.0
    assert (counts * idf)[:3].sum() == pytest.approx(idf[:3].max())
    # In two words both count.
    assert ask(index, "Li Hua").terms[1].tolist() == [1.0, 1.0]


def test_several_nodes_of_one_name_are_all_meant_in_node_order():
    index = index_of([node("b", "Paris"), node("a", "Paris"), node("c", "Paris (film)")])
    [mention] = ask(index, "in Paris").mentions
    assert index.ids_at(mention.node) == ["b", "a", "c"]
    assert mention.surface.tolist() == pytest.approx([1.0, 1.0, 0.9])


def test_a_name_in_lower_case_counts_less_where_the_query_has_capitals():
    index = index_of([node("a", "Hope"), node("b", "Bob Hope"), *(node(f"n{n}") for n in range(8))])
    low, high = ask(index, "does he hope that Bob Hope sings").mentions
    assert low.share < 0.3 < high.share == 1.0
    assert high.explains > low.explains > 0
    assert [mention.share for mention in ask(index, "does hope exist").mentions] == [1.0]


def test_a_light_mention_is_left_out():
    many = [KnowledgeNode(f"x{n}", "concept", f"common thing {n}") for n in range(300)]
    index = index_of([*many, node("rare", "Zyx Qwerty"), node("common", "common")])
    assert [text for text, _ in named(index, "Zyx Qwerty Common")] == ["zyx qwerty"]


def test_coverage_and_residual_are_what_strong_mentions_explain_and_leave():
    index = films()
    question = ask(index, "Which country is the director of Midnight Court from?")
    assert [mention.start for mention in question.mentions] == [6]
    assert 0.0 < question.coverage < 1.0
    # No node has the other words, so the residual knows none of them.
    assert question.residual[0].size == 0
    assert ask(index, "nothing known").coverage == 0.0
    assert ask(index, "").coverage == 0.0


def test_the_residual_drops_the_words_of_mentions_and_keeps_dates():
    index = index_of(
        [node("a", "LiHua", text="LiHua ate dinner on 2026-07-03"), node("b", "Ann", text="dinner again")]
    )
    question = ask(index, "What had LiHua for dinner on July 3rd?")
    left = [index.text.postings.terms[code] for code in question.residual[0].tolist()]
    assert left == ["dinner", "#m07", "#d0703"]


def test_what_is_named_in_part_needs_two_words_of_the_label():
    index = index_of([node("a", "Reo Franklin Fortune"), node("b", "Fortune"), node("c", "Sign of Death")])
    nodes, of_label, of_query = ask(index, "the death of Reo, Fortune of wife").partly_named
    assert index.ids_at(nodes) == ["a"] or not ask(index, "x").mentions
    nodes, of_label, of_query = ask(index, "wife of Franklin Reo").partly_named
    assert index.ids_at(nodes) == ["a"]
    assert 0.5 < of_label[0] < 1.0
    assert 0.0 < of_query[0] < 1.0


def settings_of(**mentions: Any) -> TextSettings:
    return TextSettings(mentions=MentionSettings(**mentions))


def test_names_of_too_many_words_are_no_names():
    index = index_of([node("a", "one two three four")])
    assert named(index, "one two three four") == [("one two three four", ["a"])]
    assert named(index.with_text(settings_of(max_words=3)), "one two three four") == []


def test_questions_are_kept_and_the_same_text_is_analysed_once():
    text = films().text
    assert text.ask("x") is text.ask("x")


def test_aliases_and_passages_are_read_from_the_configured_keys():
    index = index_of([node("a", "A", other=["Zed", 3, " "], note="says this", text="not this")])
    chosen = index.with_text(TextSettings(alias_keys=("other",), passage_keys=("missing", "note")))
    assert chosen.text.aliases(0) == ("Zed",)
    assert chosen.text.passage(0) == "says this"
    assert named(chosen, "zed") == [("zed", ["a"])]


def test_the_types_that_say_nearly_all_that_is_said_are_textual():
    long = {"text": "long stories tell many things, then more things happen " * 3}
    index = index_of(
        [
            KnowledgeNode("p1", "passage", "one", properties=long),
            KnowledgeNode("p2", "passage", "two", properties=long),
            KnowledgeNode("t1", "thing", "three", properties={"text": "a thing"}),
            KnowledgeNode("n1", "note", "four", properties=long),
            KnowledgeNode("n2", "note", "five"),
        ]
    )
    # Things are described in few words, and half of the notes say nothing.
    assert index.text.textual.tolist() == [True, True, False, False, False]
    assert index_of([]).text.textual.tolist() == []
