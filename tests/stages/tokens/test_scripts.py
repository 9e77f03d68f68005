"""The estimate by script, against what real tokenizers counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.tokens.chars4 import Chars4
from graphrag_pipeline.stages.tokens.scripts import FACTORS, Scripts, ScriptsParams
from graphrag_pipeline.stages.tokens.scripts_table import BEYOND, SCRIPTS, STARTS, script_codes

MEASURED = json.loads((Path(__file__).parent / "measured.json").read_text("utf-8"))["texts"]
NOISE = {"base64"}
"""Texts that are no language, code or emoji."""


def most(name: str) -> int:
    return max(map(int, MEASURED[name]["tokens"].values()))


@pytest.mark.parametrize("name", [name for name in MEASURED if name not in NOISE])
def test_case_62_the_estimate_is_at_most_a_tenth_below_any_tokenizer(name):
    assert Scripts().count(MEASURED[name]["text"]) >= 0.9 * most(name)


@pytest.mark.parametrize("name", [name for name in MEASURED if name not in NOISE])
def test_the_estimate_is_less_than_twice_what_the_costliest_tokenizer_takes(name):
    assert Scripts().count(MEASURED[name]["text"]) < 2 * most(name)


def test_a_quarter_of_the_characters_is_far_too_low_where_the_estimate_is_not():
    japanese = MEASURED["case 62"]
    assert Chars4().count(japanese["text"]) * 5 < most("case 62")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("aaaa", 2),  # 4 × 0.37 = 1.48
        ("港", 2),  # 1.95
        ("🚢", 5),  # 4.2
        ("\ud800", 3),
        ("a🚢港", 7),  # 0.37 + 4.2 + 1.95 = 6.52
    ],
)
def test_factors_are_added_and_rounded_up(text, tokens):
    assert Scripts().count(text) == tokens


def test_a_factor_of_ones_own_replaces_the_built_in_one():
    mine = Scripts(ScriptsParams(factors={"thai": 0.25}))
    assert mine.count("ท่าเรือมี") == 3  # 9 × 0.25
    assert mine.count("港") == Scripts().count("港")


@pytest.mark.parametrize(
    ("factors", "said"),
    [({"klingon": 1}, "there is no script 'klingon'"), ({"han": -1}, "greater"), ({"han": 9}, "less")],
)
def test_a_factor_is_of_a_known_script_and_in_bounds(factors, said):
    with pytest.raises(ValueError, match=said):
        ScriptsParams(factors=factors)


@given(st.text(), st.text())
def test_a_longer_text_never_counts_less_and_parts_count_at_least_the_whole(one, other):
    counter = Scripts()
    assert counter.count(one) <= counter.count(one + other) <= counter.count(one) + counter.count(other)


def test_every_code_point_has_one_script_and_every_script_a_factor():
    assert [start for start, _ in STARTS] == sorted({start for start, _ in STARTS})
    assert script_codes().size == BEYOND + 1
    assert set(SCRIPTS) == set(FACTORS)


@pytest.mark.parametrize(
    ("character", "script"),
    [
        ("\n", "newline"),
        (" ", "blank"),
        ("A", "capital"),
        ("z", "letter"),
        ("7", "digit"),
        ("_", "underscore"),
        ("é", "latin"),
        ("ß", "latin"),
        ("°", "sign"),
        ("ж", "cyrillic"),
        ("ع", "arabic"),
        ("ह", "devanagari"),
        ("ท", "thai"),
        ("の", "kana"),
        ("港", "han"),
        ("𠮷", "beyond"),
        ("한", "hangul"),
        ("。", "cjk_sign"),
        ("\u3000", "wide_blank"),
        ("→", "symbol"),
        ("…", "general"),
        ("\ufe0f", "variation"),
        ("😀", "beyond"),
    ],
)
def test_characters_are_of_their_script(character, script):
    assert SCRIPTS[script_codes()[min(ord(character), BEYOND)]] == script
