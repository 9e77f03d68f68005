from __future__ import annotations

import pytest

from graphrag_pipeline.stages.tokens.chars4 import Chars4


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("🚀🚀🚀🚀", 1), ("\n" * 9, 3)]
)
def test_four_characters_are_a_token_and_a_rest_is_one_more(text, tokens):
    assert Chars4().count(text) == tokens
