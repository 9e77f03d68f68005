"""Answers that are kept, and replayed offline byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from graphrag_lyra_http.cassettes import Cassettes, Question
from graphrag_lyra_http.failures import CallError

from .conftest import ANSWER, says, sends  # noqa: TID252  # a folder with a hyphen has no other name


@pytest.fixture
def tapes(tmp_path: Path) -> Path:
    return tmp_path / "tapes"


@pytest.fixture
def record(make, tapes):
    return make(cassette_mode="record", cassette_dir=str(tapes))


@pytest.fixture
def replay(make, tapes):
    return make(base_url=None, cassette_mode="replay", cassette_dir=str(tapes))


def test_what_was_recorded_is_replayed_without_a_server(server, record, replay):
    server.behaviours = [says(ANSWER), says({"terms": ["t"]}), says(["c"])]
    told = [record.graph_of_thought_query("港"), record.vocab_lookup("a"), record.harmonic_expand("a")]
    asked = len(server.asked)
    assert [
        replay.graph_of_thought_query("港"),
        replay.vocab_lookup("a"),
        replay.harmonic_expand("a"),
    ] == told
    assert len(server.asked) == asked


def test_the_body_is_kept_byte_for_byte(server, record, tapes):
    body = '{ "nodes":[],\t"x": 1.10, "é": "\\ud800 \u2028"}\r\n'.encode()
    server.behaviours = [sends(body)]
    record.graph_of_thought_query("q", depth=3)
    assert Cassettes(tapes).find(Question("graph_of_thought_query", {"query": "q", "depth": 3})) == body


def test_cassettes_are_the_same_each_time(server, record, tapes):
    record.graph_of_thought_query("q")
    (first,) = tapes.iterdir()
    before = first.read_bytes()
    record.graph_of_thought_query("q")
    assert [path.read_bytes() for path in tapes.iterdir()] == [before]
    assert json.loads(before)["arguments"] == {"query": "q", "depth": 3}


def test_the_key_is_that_of_the_call_and_its_arguments():
    key = Question("vocab_lookup", {"term": "a", "namespace": ""}).key
    assert key == Question("vocab_lookup", {"namespace": "", "term": "a"}).key
    others = [("vocab_lookup", {"term": "b", "namespace": ""}), ("harmonic_expand", {"concept": "a"})]
    assert len({key, *(Question(call, arguments).key for call, arguments in others)}) == 3
    assert Question("harmonic_expand", {"concept": "\udc80"}).key


def test_what_was_not_recorded_is_a_clear_error(replay):
    with pytest.raises(CallError, match="there is no cassette for this vocab_lookup") as caught:
        replay.vocab_lookup("a")
    assert caught.value.where.endswith(".json")
    assert Path(caught.value.where).name in caught.value.what
    assert "cassette_mode=record" in caught.value.hint


def test_failures_are_not_recorded(server, record, tapes):
    server.behaviours = [says({}, 404)]
    with pytest.raises(CallError):
        record.graph_of_thought_query("q")
    server.behaviours = [says([])]
    with pytest.raises(CallError):
        record.graph_of_thought_query("q")
    assert not tapes.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace("lyra.audit", "lyra.other"), "not the one that was kept"),
        (lambda text: text[:50], "damaged"),
        (lambda text: text.replace('"format": 1', '"format": 2'), "another format"),
        (lambda text: "[]", "another format"),
    ],
    ids=["changed", "cut", "newer", "else"],
)
def test_a_cassette_that_was_tampered_with_is_refused(server, record, replay, tapes, change, said):
    record.graph_of_thought_query("q")
    (path,) = tapes.iterdir()
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(CallError, match=said):
        replay.graph_of_thought_query("q")


def test_a_directory_that_cannot_be_written_is_told(server, make, tmp_path):
    (tmp_path / "file").write_text("x")
    bridge = make(cassette_mode="record", cassette_dir=str(tmp_path / "file"))
    with pytest.raises(CallError, match="cannot be kept"):
        bridge.graph_of_thought_query("q")


def test_replaying_needs_no_thread(make, replay):
    assert (replay.local, replay.mode) == (True, "replay")
    assert (make().local, make().mode) == (False, "http")
