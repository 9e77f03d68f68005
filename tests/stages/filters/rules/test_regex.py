"""Regular expressions in properties."""

from __future__ import annotations

import builtins
import sys
import time

import pytest

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.stages.filters.rules.property import PropertyParams
from graphrag_pipeline.stages.filters.rules.regex import MAX_PATTERN, searcher
from tests.stages.filters.rules.judged import kept, typed


@pytest.fixture
def re2():
    return pytest.importorskip("re2", reason="the extra regex is not installed")


@pytest.mark.usefixtures("re2")
def test_a_pattern_is_found_anywhere_in_a_text():
    nodes = GraphIndex.from_records(
        [
            typed("a", v="Audit trail"),
            typed("b", v="the audit"),
            typed("c", v=["x", "AUDIT"]),
            typed("d", v=7),
            typed("e", v="北条の港"),
            typed("f", v="a\nb\x00c"),
            typed("g"),
        ]
    )
    assert kept({"property": {"key": "v", "regex": "audit"}}, nodes) == "b"
    assert kept({"property": {"key": "v", "regex": "(?i)audit"}}, nodes) == "a b c"
    assert kept({"property": {"key": "v", "regex": "^(?i)audit"}}, nodes) == "a c"
    assert kept({"property": {"key": "v", "regex": r"^\w+ \w+$"}}, nodes) == "a b"
    assert kept({"property": {"key": "v", "regex": r"^\p{Han}"}}, nodes) == "e"
    assert kept({"property": {"key": "v", "regex": r"\x00c$"}}, nodes) == "f"
    assert kept({"property": {"key": "v", "regex": ""}}, nodes) == "a b c e f"


@pytest.mark.usefixtures("re2")
def test_a_lone_surrogate_is_searched_as_a_question_mark():
    assert searcher("a.b")("a\udc80b")
    assert not searcher("c")("a\udc80b")


@pytest.mark.usefixtures("re2")
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*a){12}$", "^(([a-z])+.)+[A-Z]([a-z])+$"]
)
def test_hostile_patterns_take_time_linear_in_the_text(pattern):
    search = searcher(pattern)

    def seconds(length: int) -> float:
        started = time.perf_counter()
        search("a" * length + "!")
        return time.perf_counter() - started

    seconds(1_000)
    # Ten times for a text ten times as long, and room for a busy machine; other engines need 2 ** 10 times.
    assert seconds(100_000) < 200 * max(seconds(10_000), 1e-4)
    assert seconds(100_000) < 2


@pytest.mark.usefixtures("re2")
@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(a", "missing"),
        ("(?=a)", "no look-around"),
        (r"(a)\1", "no references to groups"),
        ("a{5000}", "repetition"),
        ("((a{1,30}){1,30}){1,30}", "repetition"),
        ("\udc80", "unicode"),
        ("a" * (MAX_PATTERN + 1), "at most 1000"),
    ],
)
def test_a_pattern_that_is_wrong_or_too_large_is_refused(pattern, said, capfd):
    with pytest.raises(ValueError, match=said):
        PropertyParams.model_validate({"key": "v", "regex": pattern})
    assert capfd.readouterr().err == ""


def test_without_the_package_the_message_says_what_to_install(monkeypatch):
    searcher.cache_clear()
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(ValueError, match=r'google-re2.*pip install "graphrag-pipeline\[regex\]"'):
        PropertyParams.model_validate({"key": "v", "regex": "a"})


def test_other_conditions_do_not_need_the_package(monkeypatch):
    imported = builtins.__import__

    def refuse(name, *rest, **more):
        assert name != "re2"
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    assert PropertyParams.model_validate({"key": "v", "eq": 1}).eq == 1
