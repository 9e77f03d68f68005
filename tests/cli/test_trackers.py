"""`evaluate` with trackers: they see everything, change nothing, and cannot stop it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

COMMAND = (
    "evaluate",
    "dataset.path=set",
    "graph=json",
    "graph.path=graph.json",
    "bridge=noop",
    "personas=none",
)
RAISING = """
import os

from graphrag_pipeline import Component, Params, hookimpl


class RaisingParams(Params):
    at: str = "start"


class Raising(Component[RaisingParams]):
    name = "raising"
    Params = RaisingParams

    def start(self, run):
        print("begun")
        self._raise("start")

    def log(self, run, step):
        self._raise("log")

    def finish(self, run, end):
        self._raise("finish")

    def _raise(self, what):
        if what == self.params.at:
            raise ConnectionError("nobody listens")


@hookimpl
def graphrag_register_trackers():
    return [Raising]
"""
STOPPING = """
from graphrag_pipeline import Component, hookimpl


class Stopping(Component):
    name = "stopping"

    def retrieve(self, query, index, k):
        if query.text == "stop":
            raise KeyboardInterrupt
        return []


@hookimpl
def graphrag_register_seed_retrievers():
    return [Stopping]
"""
HEARING = """
from graphrag_pipeline import Component, hookimpl


class Hearing(Component):
    name = "hearing"

    def start(self, run):
        self._hear("start")

    def log(self, run, step):
        self._hear(step.name)

    def finish(self, run, end):
        self._hear(end.status)

    def _hear(self, what):
        with open("heard.txt", "a") as file:
            file.write(what + "\\n")


@hookimpl
def graphrag_register_trackers():
    return [Hearing]
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nodes = [{"node_id": "audit", "node_type": "process", "label": "audit log"}]
    Path("graph.json").write_text(json.dumps({"nodes": nodes, "edges": []}))
    Path("set").mkdir()
    Path("set/queries.jsonl").write_text('{"id": "q1", "text": "audit"}\n{"id": "q2", "text": "stop"}\n')
    Path("set/qrels.txt").write_text("q1 0 audit 1\nq2 0 audit 1\n")
    Path("raising.py").write_text(RAISING)
    Path("stopping.py").write_text(STOPPING)


def events(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_a_run_has_its_events_beside_it(cli):
    assert cli(*COMMAND, "--output", "one").code == 0
    start, first, second, finish = events("one/events.jsonl")
    manifest = json.loads(Path("one/manifest.json").read_text("utf-8"))
    assert (start["name"], start["steps"], start["run"]) == ("one", 2, manifest["digest"])
    assert start["config"]["graph"] == {**start["config"]["graph"], "use": "json", "path": "graph.json"}
    assert start["tags"]["graph"] == manifest["graph"]
    assert [(step["name"], step["values"]["RR"]) for step in (first, second)] == [("q1", 1.0), ("q2", 0.0)]
    assert (finish["event"], finish["digest"]) == ("finish", manifest["digest"])
    assert (finish["values"]["RR"], finish["values"]["failed"]) == (0.5, 0)
    assert manifest["trackers"] == [{"name": "jsonl", "error": None}]


@pytest.mark.parametrize("at", ["start", "log", "finish"])
def test_a_tracker_that_raises_is_listed_and_the_run_goes_on(cli, at):
    more = ("--plugin", "raising.py", f"trackers.raising.at={at}")
    done = cli(*COMMAND, "--output", "one", *more)
    assert done.code == 0
    assert done.err.count("nobody listens") == 1
    assert "warning: The tracker 'raising' failed, the run goes on without it" in done.err
    manifest = json.loads(Path("one/manifest.json").read_text("utf-8"))
    assert manifest["trackers"] == [
        {"name": "jsonl", "error": None},
        {"name": "raising", "error": "ConnectionError: nobody listens"},
    ]
    assert events("one/events.jsonl")[-1]["event"] == "finish"


def test_what_a_tracker_prints_is_not_among_the_results(cli):
    done = cli(*COMMAND, "--output", "one", "--plugin", "raising.py", "trackers.raising.at=no", "--json")
    assert json.loads(done.out)["run"] == "one"
    assert "begun" in done.err


def test_who_is_told_of_a_run_changes_nothing_in_it(cli):
    for name, trackers in (
        ("one", "trackers=jsonl"),
        ("two", "trackers=none"),
        ("three", "trackers.jsonl.steps=false"),
    ):
        assert cli(*COMMAND, "--output", name, trackers).code == 0
    digests = {
        json.loads(Path(name, "manifest.json").read_text())["digest"] for name in ("one", "two", "three")
    }
    assert len(digests) == 1
    assert Path("one/config.yaml").read_bytes() == Path("two/config.yaml").read_bytes()
    assert "trackers" not in Path("one/config.yaml").read_text("utf-8")
    assert not Path("two/events.jsonl").exists()
    assert len(events("three/events.jsonl")) == 2


def test_an_interrupted_run_is_never_finished(cli):
    Path("hearing.py").write_text(HEARING)
    more = ("--plugin", "stopping.py", "seed=stopping", "--plugin", "hearing.py", "trackers.hearing={}")
    assert cli(*COMMAND, *more, "--output", "one").code == 130
    assert Path("heard.txt").read_text().split() == ["start", "interrupted"]
    assert not Path("one").exists()
    assert cli(*COMMAND, "trackers.jsonl.path=all.jsonl", "--output", "one").code == 0
    assert [event["event"] for event in events("one/all.jsonl")] == ["start", "step", "step", "finish"]


@pytest.mark.parametrize("name", ["backup.sh", "../backup.sh", "set/new.jsonl", "failures.jsonl"])
def test_an_experiment_file_cannot_have_a_file_appended_to(cli, name):
    Path("backup.sh").write_text("#!/bin/sh\n")
    Path("theirs/experiment").mkdir(parents=True)
    Path("theirs/experiment/nice.yaml").write_text(
        f"# @package _global_\ntrackers:\n  jsonl:\n    path: {name}\n"
    )
    done = cli(*COMMAND, "--config-dir", "theirs", "+experiment=nice", "--output", "one")
    assert done.code == 2
    assert "trackers.jsonl.path: " in done.err
    assert "theirs/experiment/nice.yaml:4" in done.err
    assert Path("backup.sh").read_text() == "#!/bin/sh\n"
    assert not Path("one").exists()


def test_a_secret_in_the_config_is_not_told(cli, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_PLACE", "graph.json")
    command = [part for part in COMMAND if "graph.path" not in part]
    assert cli(*command, "graph.path=${oc.env:GRAPHRAG_PLACE}", "--output", "one").code == 0
    assert events("one/events.jsonl")[0]["config"]["graph"]["path"] == "${oc.env:GRAPHRAG_PLACE}"


def test_two_runs_tell_the_same_but_for_times_whatever_the_hash_seed(process):
    told = []
    for seed in ("1", "2"):
        done = process(*COMMAND, "--output", "same", "--force", env={"PYTHONHASHSEED": seed})
        assert done.code == 0, done.err
        lines = events("same/events.jsonl")
        for line in lines:
            line.pop("time")
            line.pop("seconds", None)
        told.append(json.dumps(lines))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("given", "told", "twice"),
    [
        (("trackers.all.use=jsonl",), "trackers.all.path", "events.jsonl, as trackers.jsonl does"),
        (
            ("trackers.all.use=jsonl", "trackers.all.path=events.jsonl"),
            *("trackers.all.path", "events.jsonl, as trackers.jsonl does"),
        ),
        (
            ("trackers.jsonl.path=all.jsonl", "trackers.b.use=jsonl", "trackers.b.path=ALL.jsonl"),
            *("trackers.b.path", "ALL.jsonl, as trackers.jsonl does"),
        ),
    ],
)
def test_two_trackers_of_one_file_are_a_mistake(cli, given, told, twice):
    done = cli(*COMMAND, *given, "--output", "one")
    assert done.code == 2
    assert f"{told}: writes to {twice}: each event would be there twice" in done.err
    assert "names another file" in done.err
    assert not Path("one").exists()


def test_two_trackers_of_two_files_write_every_event_once_each(cli):
    more = ("trackers.all.use=jsonl", "trackers.all.path=all.jsonl", "trackers.all.steps=false")
    assert cli(*COMMAND, *more, "--output", "one").code == 0
    told = [[event["event"] for event in events(f"one/{name}.jsonl")] for name in ("events", "all")]
    assert told == [["start", "step", "step", "finish"], ["start", "finish"]]


def test_a_tracker_that_nobody_has_is_a_mistake(cli):
    done = cli(*COMMAND, "trackers.jsonll={}")
    assert done.code == 2
    assert "trackers.jsonll: there is no tracker 'jsonll'" in done.err
    assert "did you mean jsonl?" in done.err
