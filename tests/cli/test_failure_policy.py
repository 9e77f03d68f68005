"""Failures that a query goes on from, as the command line tells of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SHAKY = """
from graphrag_pipeline import Component, Seed, hookimpl

class Shaky(Component):
    name = "shaky"
    def retrieve(self, query, index, k):
        if "audit" in query.text:
            raise ConnectionError("the service is down")
        return [Seed("FCON-001", 1.0)]

@hookimpl
def graphrag_register_seed_retrievers():
    return [Shaky]

@hookimpl
def graphrag_before_stage(slot):
    raise ValueError("cannot watch")
"""
ASK = ("query", "audit", "--plugin", "shaky.py", "seed=shaky", "bridge=noop")


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("shaky.py").write_text(SHAKY, encoding="utf-8")
    Path("set").mkdir()
    lines = [{"id": "a", "text": "audit"}, {"id": "b", "text": "risk"}, {"id": "c", "text": "an audit"}]
    Path("set/queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    Path("set/qrels.txt").write_text("a 0 FCON-001 1\nb 0 FCON-001 1\n", encoding="utf-8")


def test_a_skipped_slot_is_warned_about_once_and_told_where_nothing_was_found(cli):
    done = cli(*ASK, "seed.on_error=skip")
    assert done.code == 0
    assert done.err.count("the service is down") == 1
    assert (
        "Nothing found: failed and was skipped: ConnectionError: the service is down (slot seed)." in done.out
    )


def test_explain_and_json_have_it(cli):
    done = cli(*ASK, "seed.on_error=fallback:label", "--explain")
    assert "failed and 'label' ran in its place: ConnectionError: the service is down" in done.out
    done = cli(*ASK, "seed.on_error=fallback:label", "--explain", "--json")
    slots = json.loads(done.out)["trace"]["slots"]
    assert slots[0]["failure"] == {
        "action": "fallback:label",
        "error": "ConnectionError: the service is down",
        "late": False,
        "hanging": 0,
    }
    assert [slot["failure"] for slot in slots[1:]] == [None] * (len(slots) - 1)


def test_without_a_policy_the_command_fails(cli):
    done = cli(*ASK)
    assert done.code == 1
    assert "The seed_retriever 'shaky' failed: ConnectionError: the service is down" in done.err


def test_an_evaluation_counts_the_queries_and_names_the_observers(cli):
    arguments = ("evaluate", "--plugin", "shaky.py", "seed=shaky", "bridge=noop", "dataset.path=set")
    done = cli(*arguments, "seed.on_error=fallback:label", "--output", "run")
    assert done.code == 0, done.err
    assert "2 queries of 3 went on after slot seed failed: fallback:label" in done.err
    metrics = json.loads(Path("run/metrics.json").read_text())
    assert metrics["degraded"] == {"seed fallback:label": 2}
    assert metrics["failed"] == []
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert manifest["degraded"] == metrics["degraded"]
    assert manifest["observer_errors"] == {"shaky": ["before_stage: ValueError: cannot watch"]}


def test_the_environment_has_plugin_calls_told(cli, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_TRACE_PLUGINS", "1")
    done = cli(*ASK, "seed=label")
    assert "plugins: shaky: graphrag_register_seed_retrievers -> [Shaky]" in done.err
    assert "plugins: shaky: graphrag_before_stage -> raised ValueError: cannot watch" in done.err
    assert "plugins: " not in done.out
