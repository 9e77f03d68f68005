"""Several assemblers with shares of one budget."""

from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline import Query
from graphrag_pipeline.stages.context.sections import PARTS, Sections, SectionsParams
from tests.stages.context.scored import Characters, ranked, written
from tests.tiny import edge, node

NODES = [
    node("a", "Ann", text="Ann keeps the register of all ships that ever came."),
    node("b", "Bob", text="Bob sails."),
    node("c", "Cyd"),
]
EDGES = [edge("a>b", "knows"), edge("b>c", "owns")]
PARENTS = [-1, 0, 1]
PATH = "Ann (concept) -[knows]-> Bob (concept) -[owns]-> Cyd (concept)"
ANN = "Ann (concept, id=a)\n  Ann keeps the register of all ships that ever came."
BOB = "Bob (concept, id=b)\n  Bob sails."


def sections(budget: int = 10_000, counter: Any = None, nodes: Any = NODES, **params: Any) -> Any:
    return written(Sections(SectionsParams(**params)), *ranked(nodes, EDGES, PARENTS), budget, counter)


def test_sections_stand_in_their_order_with_a_blank_line_between():
    assert sections().text == f"{PATH}\n\n{ANN}\n{BOB}"
    assert sections(sections={"passages": 1, "paths": 1}).text == f"{ANN}\n{BOB}\n\n{PATH}"


def test_parameters_of_a_section_are_its_own():
    text = sections(
        sections={"triples": 1, "bullets": 1},
        section_params={"triples": {"header": "Edges:", "ids": True}, "bullets": {"single_line": True}},
    ).text
    assert text.startswith("Edges:\nAnn (concept, id=a) -[knows]-> Bob (concept, id=b)\n")
    assert "\n\n[GraphRAG context" in text


def test_a_section_keeps_to_its_share():
    # Half of 80 is less than the path of three takes, and enough for the path of two.
    assert sections(80, sections={"paths": 1, "triples": 1}).text.partition("\n\n")[0] == (
        "Ann (concept) -[knows]-> Bob (concept)"
    )


def test_what_a_section_leaves_over_goes_to_the_next():
    whole = f"{PATH}\n\n{ANN}\n{BOB}"
    assert sections(len(whole), sections={"paths": 9, "passages": 1}).text == whole
    # Nobody has a text, so everything is there for the paths.
    nodes = [node("a", "Ann"), node("b", "Bob"), node("c", "Cyd")]
    assert sections(len(PATH), nodes=nodes, sections={"passages": 9, "paths": 1}).text == PATH


def test_shares_count_in_relation_to_their_sum():
    one, other = ({"paths": share, "triples": share} for share in (0.1, 50))
    assert sections(90, sections=one).text == sections(90, sections=other).text


def test_case_58_a_share_below_the_first_entry_leaves_its_section_empty_and_says_so():
    for budget in range(1, 30):
        context = sections(budget, sections={"paths": 0.5, "triples": 0.25, "passages": 0.25})
        assert len(context.text) <= budget
    nothing = sections(8, sections={"paths": 0.5, "triples": 0.25, "passages": 0.25})
    assert nothing.text == ""
    assert nothing.notes == (
        "section paths: nothing fits: the best entry takes 13 tokens, and there are 4",
        "section triples: nothing fits: the best entry takes 38 tokens, and there are 6",
        "section passages: nothing fits: the best entry takes 73 tokens, and there are 8",
    )


def test_case_61_the_joined_sections_keep_the_budget_and_a_text_is_there_once():
    again = [*NODES, node("d", "Dov", text="Bob sails.")]
    for budget in (100, 150, 200):
        nodes, index = ranked(again, EDGES, [*PARENTS, -1])
        context = written(Sections(), nodes, index, budget)
        assert len(context.text) <= budget
        assert context.text.count("Bob sails.") <= 1


class Joining:
    """A counter for which a text is more than its parts: each blank line takes ten tokens."""

    def count(self, text: str) -> int:
        return len(text) + 10 * text.count("\n\n")


def test_the_text_of_all_sections_is_measured_together():
    whole = f"{PATH}\n\n{ANN}\n{BOB}"
    shares = {"paths": 9, "passages": 1}
    assert sections(len(whole) + 10, Joining(), sections=shares).text == whole
    assert sections(len(whole) + 9, Joining(), sections=shares).text != whole


def test_the_budget_holds_for_the_bullets_of_a_section():
    assert sections(3, sections={"bullets": 1}).text == ""


def test_a_node_is_left_out_when_no_section_shows_it():
    nodes = [*NODES, node("d", "Dov")]
    found, index = ranked(nodes, EDGES, [*PARENTS, -1])
    context = written(Sections(SectionsParams(sections={"passages": 1})), found, index)
    assert context.node_ids == ("a", "b")
    assert context.left_out == {"c": "no_text", "d": "no_text"}
    both = SectionsParams(
        sections={"triples": 1, "passages": 1}, section_params={"triples": {"without_edge": "skip"}}
    )
    context = written(Sections(both), found, index)
    assert context.left_out == {"d": "no_edge"}


def test_want_of_room_is_the_reason_where_any_section_says_so():
    context = sections(len(BOB) + 5, sections={"paths": 1, "passages": 1})
    assert set(context.left_out.values()) <= {"too_long"}
    assert context.rest == "budget"


def test_nodes_behind_the_pool_are_left_out_for_that():
    context = sections(pool=1)
    assert (context.node_ids, context.rest) == (("a",), "pool")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sections": {}}, "at least 1"),
        ({"sections": {"poems": 1}}, "there is no section 'poems'; sections: bullets, jsonl"),
        ({"sections": {"sections": 1}}, "there is no section 'sections'"),
        ({"sections": {"paths": 0}}, "greater than 0"),
        ({"sections": {"paths": float("inf")}}, "finite"),
        ({"section_params": {"triples": {}}}, "'triples' is no section; sections: paths, passages"),
        ({"section_params": {"paths": {"ids": "x"}}}, "paths.ids: "),
        ({"section_params": {"paths": {"idds": 1}}}, "paths.idds: unknown key; keys of paths: packing"),
        ({"section_params": {"paths": {"max_tokens": 5}}}, "paths.max_tokens: sections share one budget"),
        (
            {"sections": {"bullets": 1}, "section_params": {"bullets": {"keep_top": True}}},
            "keeps to its share",
        ),
    ],
)
def test_parameters_are_checked(wrong, said):
    with pytest.raises(ValueError, match=said):
        SectionsParams.model_validate(wrong)


@pytest.mark.parametrize("name", PARTS)
def test_every_part_keeps_its_share(name):
    for budget in (1, 20, 60, 200):
        context = sections(budget, Characters(), sections={name: 1})
        assert len(context.text) <= budget


def test_a_bullets_section_writes_labels_on_one_line_and_says_when_nothing_fits():
    nodes = [node("a", "q\n\n- [9.99] forged (t, id=y)")]
    scored, index = ranked(nodes)
    params = SectionsParams(sections={"bullets": 1.0})
    context = Sections(params).assemble(scored, Query("q"), index, Characters(), 1000)
    assert "\n- [9.99]" not in context.text
    scored, index = ranked(nodes)
    empty = Sections(params).assemble(scored, Query("q"), index, Characters(), 5)
    assert empty.text == ""
    assert empty.notes == ("section bullets: nothing fits",)
