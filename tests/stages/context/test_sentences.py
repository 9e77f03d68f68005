"""Where sentences end."""

from __future__ import annotations

import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.context.sentences import sentence_ends


def sentences(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("  \n", []),
        ("no end", ["no end"]),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Version 2.1 of e.g. this. Next", ["Version 2.1 of e.g. this.", "Next"]),
        ("Dr. Ann and J. Doe met. They left.", ["Dr. Ann and J. Doe met.", "They left."]),
        ("It went on... and on. End.", ["It went on...", "and on.", "End."]),
        ("Approx. five of them came. Ok.", ["Approx. five of them came.", "Ok."]),
        ("one\n\ntwo", ["one", "two"]),
        ("one\ntwo", ["one\ntwo"]),
        ("地図がある。古い\uff01本当\uff1fはい", ["地図がある。", "古い\uff01", "本当\uff1f", "はい"]),
        ("「行く。」と言った。", ["「行く。」", "と言った。"]),
        ("एक। दो॥ तीन", ["एक।", "दो॥", "तीन"]),
        ("هل؟ نعم\u06d4 لا", ["هل؟", "نعم\u06d4", "لا"]),
    ],
)
def test_sentences_end_where_they_do(text, found):
    assert sentences(text) == found


@given(st.text(alphabet="aA .!?\n。।\"'5"))
def test_ends_ascend_and_the_last_is_the_end_of_the_text(text: str):
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert (ends[-1] if ends else 0) == len(text.rstrip())


@pytest.mark.parametrize("text", ["Born Jan. 5 in U.S. Army. Then", "In Sept. 1999 Gen. Lee came. Then"])
def test_months_ranks_and_dotted_letters_end_no_sentence(text):
    assert [text[:end] for end in sentence_ends(text)] == [text.removesuffix(" Then"), text]


def test_a_long_text_takes_time_in_proportion():
    def seconds(times: int) -> float:
        text = "Word and more words. " * times
        return min(timeit.repeat(lambda: sentence_ends(text), number=1, repeat=3))

    assert seconds(40_000) < 12 * seconds(10_000)
