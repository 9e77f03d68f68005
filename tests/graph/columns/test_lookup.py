"""From an id to its position."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.graph.columns import lookup
from graphrag_pipeline.graph.columns.lookup import DictLookup, HashLookup
from graphrag_pipeline.graph.columns.text import TextColumn

IDS = ["", "a", "A", "\ud800", "\x00", "a\x00", "🚀", "0", "n" * 500]
HASH = lookup._hash
ids = st.lists(st.sampled_from(IDS) | st.text(st.characters(), max_size=3), unique=True, max_size=30)


@pytest.fixture(params=["blake", "few", "one"], autouse=True)
def hashing(request, monkeypatch):
    """Good hashes, hashes of which many are equal, and one hash for all."""
    if request.param != "blake":
        modulus = 3 if request.param == "few" else 1
        monkeypatch.setattr(lookup, "_hash", lambda raw: 2**64 - 1 - HASH(raw) % modulus)


def test_an_id_has_its_place_and_another_text_none(hashing):
    for given_ids in (IDS, IDS[::-1], [], ["x"]):
        column = TextColumn.of(given_ids)
        for found in (HashLookup.of(column), DictLookup.of(column)):
            assert [found.get(node_id) for node_id in given_ids] == list(range(len(given_ids)))
            assert [found.get(text) for text in ("b", " ", "\ud801", "n" * 499)] == [None] * 4


@given(ids, st.text(st.characters(), max_size=3))
def test_both_ways_to_look_up_agree(given_ids, other):
    column = TextColumn.of(given_ids)
    hashed, plain = HashLookup.of(column), DictLookup.of(given_ids)
    for text in (*given_ids, other):
        assert hashed.get(text) == plain.get(text)


def test_hashes_do_not_depend_on_the_process():
    # As written by another process: a mapped index holds these.
    assert HASH(b"a") == HASH(memoryview(b"a")) == 0x2F42665B399EF840
