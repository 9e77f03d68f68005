"""Ids in run files can be read again, whatever they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.run_ids import all_written, read, written


@given(st.text() | st.text(alphabet="%20A \t\n\rF"))
def test_every_id_comes_back_and_is_one_word(node_id):
    word = written(node_id)
    assert read(word) == node_id
    assert word
    assert not set(word) & set(" \t\n\r")


def test_most_ids_stay_as_they_are():
    assert [written(text) for text in ("Q1", "50%", "a%zz", "北条")] == ["Q1", "50%", "a%zz", "北条"]
    assert [written(text) for text in ("a b", "a%20b", "")] == ["a%20b", "a%2520b", "%00"]


@given(st.lists(st.text(alphabet="%20A F") | st.just("")))
def test_many_at_once_are_written_as_one_by_one(node_ids):
    assert list(all_written(node_ids)) == [written(node_id) for node_id in node_ids]
