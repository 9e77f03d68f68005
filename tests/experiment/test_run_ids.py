"""Ids in run files can be read again, whatever they hold."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.run_ids import all_written, read, written

ANY = st.characters(exclude_categories=())
"""Every code point: Hypothesis leaves out lone surrogates unless it is told."""
ODD = "%20A \t\n\rF\0\x0b\x1b\x85\xa0\u2003\u2028\ufeff\ud800\udc80C€9"


@given(st.text(ANY) | st.text(alphabet=ODD))
def test_every_id_comes_back_and_is_one_word(node_id):
    word = written(node_id)
    assert read(word) == node_id
    assert word.split() == [word]
    assert not any(unicodedata.category(character) in {"Cc", "Cs"} for character in word)


def test_every_character_at_which_a_reader_may_split_is_escaped_and_comes_back():
    for character in map(chr, range(0x110000)):
        category = unicodedata.category(character)
        special = character.isspace() or category in {"Cc", "Cs"} or character == "\ufeff"
        node_id = f"a{character}b"
        assert (written(node_id) == node_id) is not special, hex(ord(character))
        if special:
            escape = "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
            assert (written(node_id), read(f"a{escape}b")) == (f"a{escape}b", node_id)


def test_most_ids_stay_as_they_are():
    assert [written(text) for text in ("Q1", "50%", "a%zz", "北条")] == ["Q1", "50%", "a%zz", "北条"]
    assert [written(text) for text in ("a b", "a%20b", "")] == ["a%20b", "a%2520b", "%00"]


@pytest.mark.parametrize(
    ("node_id", "word"),
    [
        ("New\xa0York", "New%C2%A0York"),
        ("a\x0bb", "a%0Bb"),
        ("a\u2003b", "a%E2%80%83b"),
        ("a\u2028b", "a%E2%80%A8b"),
        ("a\0b", "a%00b"),
        ("\0", "%C0%80"),
        ("%C0%80", "%25C0%2580"),
        ("a\x1b[31mb", "a%1B[31mb"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_an_id_is_written_with_escapes_of_its_bytes(node_id, word):
    assert (written(node_id), read(word)) == (word, node_id)


@pytest.mark.parametrize("word", ["%E9", "caf%E9", "%C2", "%C0%81", "%F7%BF%BF%BF", "%e2%80%83", "%", "100%"])
def test_what_is_no_escape_stays_as_it_is(word):
    assert read(word) == word


@given(st.lists(st.text(alphabet="%20A F") | st.text(ANY) | st.just("")))
def test_many_at_once_are_written_as_one_by_one(node_ids):
    assert list(all_written(node_ids)) == [written(node_id) for node_id in node_ids]


@pytest.mark.parametrize("blank", list("\t\v\f\x1c\x85\xa0\u2003\u2028\u2029\u3000"))
def test_readers_that_split_at_blanks_find_six_columns(tmp_path: Path, blank):
    path = tmp_path / "run.trec"
    path.write_bytes(f"q1 Q0 {written(f'a{blank}b')} 1 0.5 tag\n".encode())
    (found,) = ir_measures.read_trec_run(str(path))
    assert read(found.doc_id) == f"a{blank}b"
