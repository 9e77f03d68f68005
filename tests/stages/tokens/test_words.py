"""Words and single signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.tokens.words import Words, WordsParams


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("  \n\t\u3000", 0),
        ("one", 1),
        ("one two  three", 3),
        ("due_date v2", 2),
        ("Hello, world!", 4),
        ("a-b", 3),
        ("Straße Ödön", 2),
        ("e\u0301te\u0301", 1),  # combining accents belong to their letters
        ("\u0301", 0),
        ("港の倉庫", 4),
        ("부산항 도착", 2),
        ("ท่าเรือ", 7),
        ("हर जहाज़", 2),
        ("☀\ufe0fsun", 2),
        ("🚢🚢", 2),
        ("port 港 7", 3),
    ],
)
def test_runs_of_letters_and_single_signs_are_counted(text, tokens):
    assert Words().count(text) == tokens


def test_a_word_may_stand_for_more_than_a_token():
    assert Words(WordsParams(tokens_per_word=1.33)).count("one two three") == 4
    assert Words(WordsParams(tokens_per_word=0.5)).count("one two three") == 2


@pytest.mark.parametrize("wrong", [0, -1, 101, float("nan")])
def test_the_factor_has_bounds(wrong):
    with pytest.raises(ValueError, match="tokens_per_word"):
        WordsParams(tokens_per_word=wrong)


@given(st.text(), st.text())
def test_a_longer_text_never_counts_less(one, other):
    assert Words().count(one) <= Words().count(one + other)
