"""Substring search in a column is what a plain search finds, with or without the fast extra."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.graph.columns import search
from graphrag_pipeline.graph.columns.search import END, Search
from graphrag_pipeline.graph.columns.text import TextColumn, encode
from tests.tiny import index_of, node

MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
ODD = ["", "risk", "ri", "sk", "\x00", "\n", "k\nr", "\ud800", "σ", "ς", "Σ", "İ", "i̇", "ß", "🚀", "\ud83d"]  # noqa: RUF001
pieces = st.sampled_from(ODD) | st.text(st.characters(), max_size=2)
parts = st.lists(pieces, min_size=1, max_size=3).map("".join)
rows = st.lists(st.lists(parts, max_size=3), max_size=10)


@pytest.fixture(params=["stringzilla", "standard", "mapped"], autouse=True)
def way(request, monkeypatch) -> str:
    """Every way to search: the fast extra, bytes, and a mapped blob in chunks."""
    if request.param == "stringzilla":
        pytest.importorskip("stringzilla")
    else:
        monkeypatch.setitem(sys.modules, "stringzilla", None)
    monkeypatch.setattr(search, "CHUNK", 7)
    return str(request.param)


def column_of(given_rows: list[list[str]], way: str) -> TextColumn:
    ended = [b"".join(encode(part) + END for part in row) for row in given_rows]
    start = np.cumsum([0, *map(len, ended)])
    blob = b"".join(ended)
    return TextColumn(blob if way == "standard" else np.frombuffer(blob, dtype=np.uint8).data, start)


def naive(given_rows: list[list[str]], needle: str) -> list[bool]:
    return [any(needle in part for part in row) or not needle for row in given_rows]


@MANY
@given(rows, parts | st.just(""), st.integers(0, 12), st.data())
def test_every_question_is_answered_as_by_a_plain_search(way, given_rows, needle, limit, data):
    column = column_of(given_rows, way)
    found, expected = Search(column), naive(given_rows, needle)
    assert found.first(encode(needle), limit).positions.tolist() == np.flatnonzero(expected)[:limit].tolist()
    mask = found.all(encode(needle), len(column.blob))
    assert mask is not None
    assert mask.tolist() == expected
    asked = data.draw(st.lists(st.sampled_from(range(len(given_rows))), max_size=6)) if given_rows else []
    if needle:
        among = found.among(encode(needle), np.array(asked, dtype=np.int64))
        assert among.tolist() == [expected[place] for place in asked]


def test_a_needle_does_not_match_across_two_parts_or_two_texts(way):
    found = Search(column_of([["ab", "cd"], ["ef"]], way))
    for needle in ("bc", "de", "abcd", "abc"):
        assert found.first(encode(needle), 9).positions.tolist() == []
    assert found.first(b"cd", 9).positions.tolist() == [0]


def test_the_search_for_all_gives_up_after_so_many_occurrences(way):
    found = Search(column_of([["aaa"], ["a"], ["b"]], way))
    assert found.all(b"a", 3) is None
    mask = found.all(b"a", 4)
    assert mask is not None
    assert mask.tolist() == [True, True, False]


def test_bytes_of_another_character_are_no_match(way):
    found = Search(column_of([["🚀"], ["é"]], way))
    for needle in ("\ud83d", "Ã", "\x80", "\x00"):
        assert found.first(encode(needle), 9).positions.tolist() == []


def test_half_of_a_pair_of_surrogates_is_found_as_in_python(way):
    found = Search(column_of([["\ud83d\ude80"], ["🚀"]], way))
    assert found.first(encode("\ude80"), 9).positions.tolist() == [0]
    assert found.first(encode("🚀"), 9).positions.tolist() == [1]


labels = st.lists(parts, max_size=8, unique=True)


@MANY
@given(labels, parts, st.integers(0, 9))
def test_an_index_finds_names_and_mentions_as_a_plain_search_does(way, given_labels, text, limit):
    records = [node(f"N{row}\n", label, **{label: [text]}) for row, label in enumerate(given_labels)]
    index, needle = GraphIndex.from_records(records), text.lower()
    named = [needle in entry.label.lower() or needle in entry.node_id.lower() for entry in records]
    told = [
        name or any(needle in str(part).lower() for pair in entry.properties.items() for part in pair)
        for name, entry in zip(named, records, strict=True)
    ]
    assert index.find(needle, limit).tolist() == np.flatnonzero(named)[:limit].tolist()
    assert index.named(needle).tolist() == named
    assert index.mentioning(needle, np.arange(len(records))).tolist() == told
    for row in range(len(records)):
        assert index.named(needle, np.array([row])).tolist() == [named[row]]


@pytest.mark.parametrize(
    ("label", "needle", "found"),
    [
        ("ΟΔΟΣ", "οδος", True),
        ("ΟΔΟΣ", "οδοσ", False),
        ("ΟΔΟΣ", "σ", False),  # noqa: RUF001
        ("İSTANBUL", "i̇stanbul", True),
        ("İSTANBUL", "istanbul", False),
        ("a\x00b", "\x00b", True),
        ("a\nb", "a\nb", True),
        ("\ud800x", "\ud800", True),
        ("STRASSE", "straße", False),
    ],
)
def test_names_are_lowered_as_python_lowers_them(label, needle, found):
    assert (needle in label.lower()) is found
    assert index_of([node("0", label)]).named(needle).tolist() == [found]


def test_a_needle_of_label_and_id_together_is_nowhere():
    index = index_of([node("id", "label")])
    needles: list[Any] = ["labelid", "label\nid", "label\x00id", "labe\u00ff"]
    assert [index.named(needle).tolist() for needle in needles] == [[False]] * 4


@given(
    texts=st.lists(st.text("ab\x00", max_size=4), max_size=12), needle=st.text("ab", min_size=1, max_size=2)
)
def test_a_search_that_goes_on_finds_what_one_from_the_start_finds(texts, needle):
    search = Search(TextColumn.of(f"{text}|" for text in texts))
    whole = search.all(needle.encode(), limit=100)
    for limit in range(1, len(texts) + 2):
        before = search.first(needle.encode(), limit)
        again = search.all(needle.encode(), 100, before)
        assert again is not None
        assert whole is not None
        assert again.tolist() == whole.tolist()
