"""From text to words and terms."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline.graph.text.analysis import Analysis
from graphrag_pipeline.graph.text.dates import date_terms
from graphrag_pipeline.graph.text.folding import fold
from graphrag_pipeline.graph.text.settings import AnalysisSettings

PLAIN = Analysis(AnalysisSettings(stemmer="none", stop_words="none", dates=False))
ENGLISH = Analysis()


def words(text: str) -> list[str]:
    return [word.text for word in PLAIN.words(text)]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Árbenz Łódź Ørsted \u0131ğd\u0131r", "Arbenz Lodz Orsted igdir"),
        ("ﬁne \uff12\uff10\uff12\uff16 Ⅳ", "fine 2026 IV"),
        ("Karl’s", "Karl's"),
        ("が ガ 한국 ไทย हिन्दी", "が ガ 한국 ไทย हिन्दी"),
        ("Æther œuvre þing", "Aether oeuvre thing"),
    ],
)
def test_letters_are_folded_and_marks_that_are_part_of_a_letter_stay(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Karl's house", ["karl", "house"]),
        ("the Smiths' dog", ["the", "smiths", "dog"]),
        ("KARL'S", ["karl"]),
        ("O'Brien", ["o", "brien"]),
        ("LiHua", ["li", "hua"]),
        ("XMLParser v2", ["xml", "parser", "v2"]),
        ("due_date", ["due", "date"]),
        ("straße STRASSE", ["strasse", "strasse"]),
        ("北条の港", ["北", "条", "の", "港"]),
        ("Tokyo東京", ["tokyo", "東", "京"]),
        ("2.3.1. Orders of v1.2, 1.5.", ["2.3.1", "orders", "of", "v1", "2", "1.5"]),
        ("at 5.30pm, 1.2.3b", ["at", "5", "30pm", "1.2", "3b"]),
        ("", []),
        ("… — ()", []),
        ("\ud800x", ["x"]),
    ],
)
def test_words_are_as_names_are_compared(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LiHua", ["li", "hua", "lihua"]),
        ("due_date", ["due", "date"]),
        ("O'Brien", ["o", "brien", "obrien"]),
        ("北条の港", ["北条", "条の", "の港"]),
        ("港", ["港"]),
    ],
)
def test_terms_have_joined_forms_and_pairs_of_characters(text, expected):
    assert PLAIN.terms(text) == expected


def test_stop_words_are_no_terms_and_words_are_stemmed():
    assert ENGLISH.terms("Which films were directed by the brothers?") == ["film", "direct", "brother"]
    assert [word.text for word in ENGLISH.words("by the way")] == ["by", "the", "way"]


@pytest.mark.parametrize(
    ("change", "text", "terms"),
    [
        ({"fold": False}, "Árbenz", ["árbenz"]),
        ({"split": False}, "LiHua due_date", ["lihua", "due_date"]),
        ({"split": False}, "1.2 due_3.4", ["1.2", "due_3", "4"]),
        ({"possessives": False}, "Karl's", ["karl", "s", "karls"]),
        ({"cjk": "none"}, "北条の港", ["北条の港"]),
        ({"stemmer": "german"}, "Häuser", ["haus"]),
        ({"stop_words": "french"}, "le chat", ["chat"]),
        ({"dates": True}, "on 2026-07-03", ["on", "2026", "07", "03", "#m07", "#d0703"]),
    ],
)
def test_each_setting_does_what_it_says(change, text, terms):
    off = {"stemmer": "none", "stop_words": "none", "dates": False}
    assert Analysis(AnalysisSettings(**{**off, **change})).terms(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("20260703", ["#m07", "#d0703"]),
        ("20260105_1100", ["#m01", "#d0105"]),
        ("2026-07-03", ["#m07", "#d0703"]),
        ("July 3rd", ["#m07", "#d0703"]),
        ("the 3rd of July", ["#m07", "#d0703"]),
        ("3 July 1866", ["#m07", "#d0703"]),
        ("in July", ["#m07"]),
        ("Sept. 9", ["#m09", "#d0909"]),
        ("it may march on", []),
        ("May 1", ["#m05", "#d0501"]),
        ("phone 20261399", []),
        ("July 45", ["#m07"]),
        ("120260703", []),
    ],
)
def test_dates_share_terms_however_they_are_written(text, terms):
    assert list(date_terms(text)) == terms


def test_capitals_are_told():
    assert [word.capital for word in PLAIN.words("Ken met ken in 1995 at X2")] == [
        True,
        False,
        False,
        False,
        True,
        False,
        True,
    ]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_the_same_terms_twice_and_never_fails(text):
    first = ENGLISH.terms(text)
    assert first == Analysis().terms(text)
    assert all(term and " " not in term for term in first)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=40))
def test_words_do_not_depend_on_case_or_accents(text):
    assert words(text.lower()) == words(fold(text).lower())
