"""A column of texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.graph.columns.text import TextBuilder, TextColumn, encode, offset_type

ODD = ["", "a", "Ü", "\ud800", "\x00", "a\nb", "🚀", "\ud83d\ude80", "", "ﷺ", ""]
texts = st.lists(st.sampled_from(ODD) | st.text(st.characters(), max_size=5), max_size=12)


@given(texts)
def test_a_column_is_a_sequence_of_its_texts(given_texts):
    column = TextColumn.of(given_texts)
    assert list(column) == given_texts
    assert len(column) == len(given_texts)
    assert column[1:-1] == given_texts[1:-1]
    assert column[::-1] == given_texts[::-1]
    for place in range(-len(given_texts), len(given_texts)):
        assert column[place] == given_texts[place]


@pytest.mark.parametrize("place", [3, 4, -4, -5, -100])
def test_a_place_outside_the_column_is_an_index_error(place):
    with pytest.raises(IndexError):
        TextColumn.of(["a", "bc", "d"])[place]


@given(texts, st.data())
def test_many_texts_are_those_at_each_position_in_the_order_asked(given_texts, data):
    asked = data.draw(st.lists(st.integers(0, len(given_texts) - 1), max_size=8)) if given_texts else []
    found = TextColumn.of(given_texts).many(np.array(asked, dtype=np.int64))
    assert found == [given_texts[place] for place in asked]


def test_a_lone_surrogate_is_told_from_the_character_that_two_make():
    column = TextColumn.of(["\ud83d\ude80", "🚀"])
    assert column[0] == "\ud83d\ude80" != column[1] == "🚀"


def test_a_replaced_text_may_be_shorter_or_longer_and_the_last_one_counts():
    builder = TextBuilder()
    for text in ("aa", "", "cccc", "d"):
        builder.append(encode(text))
    for position, text in ((0, "x"), (2, ""), (1, "a longer one"), (0, "yyy")):
        builder.replace(position, encode(text))
    assert list(builder.finish()) == ["yyy", "a longer one", "", "d"]


def test_offsets_take_four_bytes_up_to_four_gibibytes():
    assert TextColumn.of(["a"]).start.dtype == np.uint32
    assert offset_type(2**32 - 1) is np.uint32
    assert offset_type(2**32) is np.int64
