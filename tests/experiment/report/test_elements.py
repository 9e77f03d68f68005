"""Text of any origin becomes text of the page and nothing else."""

from __future__ import annotations

import base64
import math

import pytest

from graphrag_pipeline.experiment.report import elements as e
from graphrag_pipeline.experiment.report.page import json_text, page
from graphrag_pipeline.experiment.report.svg import Scale, figure, text
from tests.experiment.report.made import HOSTILE
from tests.experiment.report.markup import check, read


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("帳簿 é", "帳簿 é"),
        ("a\nb\tc", "a b c"),
        ("\u202egpj", "\\u202egpj"),
        ("\x1b[31m\x00", "\\x1b[31m\\x00"),
        ("\ud800", "\\ud800"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_characters_that_are_not_seen_are_spelled_out(given: str, shown: str) -> None:
    assert e.plain(given) == shown


def test_a_long_text_is_cut_off_and_shows_that_it_is() -> None:
    assert e.plain("x" * 1_000_000, 10) == "x" * 9 + "…"


@pytest.mark.parametrize("made", [e.html(HOSTILE), e.own(HOSTILE), e.code(HOSTILE), text(0, 0, HOSTILE)])
def test_no_text_becomes_markup(made: str) -> None:
    assert not {tag for tag, _ in read(made).tags} & {"script", "img"}
    assert "\u202e" not in made
    assert "\"'" not in made


def test_text_cannot_leave_an_attribute() -> None:
    (figured,) = read(figure("", "", HOSTILE, 1, 1)).all("svg")
    assert figured["aria-label"] == e.plain(HOSTILE, 600)


def test_json_in_a_page_cannot_end_its_script() -> None:
    made = json_text([HOSTILE])
    assert "<" not in made
    assert ">" not in made
    assert read(f"<script>{made}</script>").problems == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (math.nan, "—"),
        (0.5, "0.5000"),
        (1.0, "1.0000"),
        (1659.84, "1,659.8"),
        (-0.25, "-0.2500"),
    ],
)
def test_numbers_look_as_on_a_terminal(value: float | None, shown: str) -> None:
    assert e.number(value) == shown


def test_a_table_has_a_caption_headings_for_rows_and_columns_and_numbers_to_sort_by() -> None:
    columns = (
        e.Column("query"),
        e.Column("value", numbers=True, hint='a "hint"'),
        e.Column("bar", fixed=True),
    )
    made = read(
        e.table("All <b>of</b> it", columns, [("q1", e.Cell("[1, 2]", 1.0), "")], sortable=True, name="t")
    )
    assert made.problems == []
    assert made.all("table", id="t") == [{"class": "sortable", "id": "t"}]
    assert [head.get("scope") for head in made.all("th")] == ["col", "col", "col", "row"]
    assert made.all("td")[0] == {"class": "n", "data-v": "1"}
    assert made.all("div")[0]["aria-label"] == "All of it"
    assert made.all("th")[1]["title"] == 'a "hint"'
    assert "data-fixed" in made.all("th")[2]


def test_a_download_holds_the_whole_text() -> None:
    (link,) = read(e.download("All", "a.csv", "q,é\n\ud800")).all("a")
    head, _, content = str(link["href"]).partition(",")
    assert (head, link["download"]) == ("data:text/csv;base64", "a.csv")
    assert base64.b64decode(content).decode("utf-8") == "q,é\n\\ud800"


def test_a_page_without_graphs_does_not_carry_what_draws_them() -> None:
    section = e.section("one", "One &amp; only", e.note("text"))
    bare, drawing = page("T", "", [section, ""], []), page("T", "", [section], [{"n": [], "e": [], "l": []}])
    assert "One & only" in check(bare).text("a")
    assert "Cytoscape.js 3.35.0" not in bare
    assert len(bare) < 30_000
    check(drawing)
    assert "Permission is hereby granted, free of charge" in drawing


def test_ticks_are_round_and_inside() -> None:
    assert [words for _, words in Scale(0, 1, 0, 100).ticks(5)] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert [words for _, words in Scale(0.031, 0.047, 0, 100).ticks(4)] == ["0.035", "0.040", "0.045"]
    assert [words for _, words in Scale(1658.5, 1659.1, 0, 100).ticks(3)] == ["1,658.6", "1,658.8", "1,659.0"]
    assert [value for value, _ in Scale(-0.1, 2100, 0, 100).ticks(3)] == [0, 1000, 2000]
    assert Scale(0, 1, 100, 0)(0.25) == 75


@pytest.mark.parametrize("value", [0.0, 0.5, -3.0, 1e12])
def test_one_value_has_a_scale_too(value: float) -> None:
    scale = Scale.over([value, value], 0, 100)
    assert scale(value) == pytest.approx(50)
    assert scale.ticks()
