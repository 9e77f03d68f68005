"""Trackers: what they are told, and that none of them stops a run."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.config.trackers import chooses_trackers
from graphrag_pipeline.experiment.trackers.tracking import TrackerState, Tracking, tracking_of
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun, TrackedStep
from graphrag_pipeline.tracking.jsonl import JsonLines, JsonLinesParams
from graphrag_pipeline.tracking.redaction import LEFT_OUT, override_without_secrets, without_secrets

DONE = TrackedEnd("finished", {"RR": 0.5}, {"digest": "d1"})


class Listener:
    """Keeps what it is told; raises where it is asked to."""

    def __init__(self, fails_at: str = "", error: BaseException | None = None) -> None:
        self.heard: list[tuple[str, str, object]] = []
        self.fails_at = fails_at
        self.error = error or RuntimeError("no room")

    def start(self, run: TrackedRun) -> None:
        self._hear("start", run, run.parent)

    def log(self, run: TrackedRun, step: TrackedStep) -> None:
        self._hear("log", run, step.name)

    def finish(self, run: TrackedRun, end: TrackedEnd) -> None:
        self._hear("finish", run, (end.status, end.error))

    def _hear(self, what: str, run: TrackedRun, said: object) -> None:
        self.heard.append((what, run.run_id, said))
        if what == self.fails_at:
            raise self.error


def events(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def plain(file: Path) -> list[dict[str, Any]]:
    """The events without their times."""
    return [{key: value for key, value in event.items() if key != "time"} for event in events(file)]


# -- telling -------------------------------------------------------------------------------------


def test_every_tracker_is_told_everything_in_order() -> None:
    one, two, run = Listener(), Listener(), TrackedRun("r", "run")
    with Tracking({"one": one, "two": two}) as tracking:
        tracking.start(run)
        tracking.log(run, TrackedStep(0, "q1"))
        tracking.finish(run, DONE)
    assert one.heard == two.heard
    assert one.heard == [("start", "r", None), ("log", "r", "q1"), ("finish", "r", ("finished", ""))]
    assert tracking.states == (TrackerState("one"), TrackerState("two"))


@pytest.mark.parametrize("at", ["start", "log", "finish"])
@pytest.mark.parametrize("error", [RuntimeError("no room"), SystemExit(3)], ids=["error", "exit"])
def test_a_tracker_that_raises_is_told_nothing_more_and_harms_nobody(
    at: str, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good, run = Listener(at, error), Listener(), TrackedRun("r", "run")
    with caplog.at_level(logging.WARNING), Tracking({"bad": bad, "good": good}) as tracking:
        tracking.start(run)
        for number in range(3):
            tracking.log(run, TrackedStep(number, f"q{number}"))
        tracking.finish(run, DONE)
    assert [what for what, _, _ in good.heard] == ["start", "log", "log", "log", "finish"]
    assert [what for what, _, _ in bad.heard][-1] == at
    assert [what for what, _, _ in bad.heard].count(at) == 1
    assert len(caplog.records) == 1
    assert "The tracker 'bad' failed, the run goes on without it" in caplog.text
    assert [state.name for state in tracking.states if state.error] == ["bad"]


def test_without_a_tracker_that_listens_there_is_nothing_to_make() -> None:
    assert not Tracking({}).active
    run, tracking = TrackedRun("r", "run"), Tracking({"bad": Listener("start")})
    assert tracking.active
    tracking.start(run)
    assert not tracking.active


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ValueError("too deep"), "failed", "ValueError: too deep"),
        (KeyboardInterrupt(), "interrupted", "KeyboardInterrupt"),
        (SystemExit(2), "failed", "SystemExit: 2"),
    ],
    ids=["error", "ctrl-c", "exit"],
)
def test_a_run_that_crashes_is_never_finished(error: BaseException, status: str, said: str) -> None:
    listener, parent = Listener(), TrackedRun("s", "sweep", "sweep")
    points = [TrackedRun(f"p{number}", str(number), "point", parent="s") for number in range(2)]

    def sweep() -> None:
        with Tracking({"one": listener}) as tracking:
            tracking.start(parent)
            tracking.start(points[0])
            tracking.finish(points[0], DONE)
            tracking.start(points[1])
            raise error

    with pytest.raises(type(error)):
        sweep()
    ends = [(run, said) for what, run, said in listener.heard if what == "finish"]
    assert ends == [("p0", ("finished", "")), ("p1", (status, said)), ("s", (status, said))]


def test_a_run_that_nobody_ended_has_failed() -> None:
    listener = Listener()
    with Tracking({"one": listener}) as tracking:
        tracking.start(TrackedRun("r", "run"))
    assert listener.heard[-1] == ("finish", "r", ("failed", "it ended without a result"))


def test_a_tracker_that_cannot_be_made_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "broken.py"
    file.write_text(
        "from graphrag_pipeline import Component, hookimpl\n\n\n"
        "class Broken(Component):\n"
        '    """Cannot be made."""\n\n    name = "broken"\n\n'
        "    def __init__(self, params=None):\n        import no_such_package\n\n"
        "    def start(self, run): ...\n    def log(self, run, step): ...\n"
        "    def finish(self, run, end): ...\n\n\n"
        "@hookimpl\ndef graphrag_register_trackers():\n    return [Broken]\n"
    )
    host = PluginHost.discover(files=[file], entry_points=False, environ={}, strict=True)
    settings = load_settings(["trackers.broken={}"], host=host)
    with caplog.at_level(logging.WARNING):
        tracking = tracking_of(settings, host)
    assert "Install no_such_package" in caplog.text
    assert [(state.name, bool(state.error)) for state in tracking.states] == [
        ("broken", True),
        ("jsonl", False),
    ]
    assert tracking.active


# -- jsonl ---------------------------------------------------------------------------------------


def test_jsonl_writes_a_line_for_each_thing_that_happens(tmp_path: Path) -> None:
    run = TrackedRun(
        "r", "run", config={"query": {"k": 10}}, tags={"graph": "g"}, steps=2, directory=tmp_path
    )
    tracker = JsonLines()
    tracker.start(run)
    tracker.log(run, TrackedStep(0, "q1", values={"RR": 1.0}, seconds=0.25))
    tracker.log(run, TrackedStep(1, "問 2", "failed", error="no tea"))
    tracker.finish(run, TrackedEnd("finished", {"RR": 0.5}, {"digest": "d"}, tmp_path))
    assert plain(tmp_path / "events.jsonl") == [
        {
            "event": "start",
            "run": "r",
            "name": "run",
            "kind": "evaluate",
            "parent": None,
            "steps": 2,
            "tags": {"graph": "g"},
            "config": {"query": {"k": 10}},
        },
        {
            "event": "step",
            "run": "r",
            "step": 0,
            "name": "q1",
            "status": "done",
            "seconds": 0.25,
            "values": {"RR": 1.0},
        },
        {
            "event": "step",
            "run": "r",
            "step": 1,
            "name": "問 2",
            "status": "failed",
            "error": "no tea",
            "seconds": 0.0,
            "values": {},
        },
        {"event": "finish", "run": "r", "values": {"RR": 0.5}, "digest": "d"},
    ]


def test_lines_are_there_before_the_run_ends(tmp_path: Path) -> None:
    run, tracker = TrackedRun("r", "run", directory=tmp_path), JsonLines()
    tracker.start(run)
    tracker.log(run, TrackedStep(0, "q1"))
    assert [event["event"] for event in events(tmp_path / "events.jsonl")] == ["start", "step"]


def test_a_directory_may_get_another_name_while_the_run_goes_on(tmp_path: Path) -> None:
    building, final = tmp_path / "building", tmp_path / "final"
    building.mkdir()
    run, tracker = TrackedRun("r", "run", directory=building), JsonLines()
    tracker.start(run)
    building.rename(final)
    tracker.finish(run, TrackedEnd("finished", directory=final))
    assert [event["event"] for event in events(final / "events.jsonl")] == ["start", "finish"]
    assert not building.exists()


def test_a_run_that_failed_has_no_line_finish(tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    tracker = JsonLines(JsonLinesParams(path=file.name, steps=False))
    run = TrackedRun("r", "run", directory=tmp_path)
    tracker.start(run)
    tracker.log(run, TrackedStep(0, "q1"))
    tracker.finish(run, TrackedEnd("interrupted", error="KeyboardInterrupt", directory=tmp_path))
    assert plain(file)[1:] == [
        {"event": "fail", "run": "r", "why": "interrupted", "error": "KeyboardInterrupt"}
    ]


@pytest.mark.parametrize(
    "path",
    [
        *["", ".", "..", ".jsonl", ".all.jsonl", "../all.jsonl", "/tmp/all.jsonl", "a/all.jsonl"],
        *["C:all.jsonl", "a\\all.jsonl", "all.jsonl:stream", "all.jsonl\n", "a\0.jsonl", "manifest.json"],
        *["run.sh", "all.JSONL", "failures.jsonl", "FAILURES.jsonl"],
    ],
)
def test_the_file_of_events_is_a_name_in_the_directory_of_the_run(path: str) -> None:
    with pytest.raises(ValidationError, match=r"must be the name of a file|of the run itself"):
        JsonLinesParams(path=path)


def test_a_run_without_a_directory_has_no_file_of_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tracker, run = JsonLines(JsonLinesParams(path="all.jsonl")), TrackedRun("r", "run")
    tracker.start(run)
    tracker.finish(run, DONE)
    assert list(tmp_path.iterdir()) == []


def test_a_run_whose_directory_is_gone_writes_nothing(tmp_path: Path) -> None:
    building = tmp_path / "building"
    building.mkdir()
    run, tracker = TrackedRun("r", "run", directory=building), JsonLines()
    tracker.start(run)
    (building / "events.jsonl").unlink()
    building.rmdir()
    tracker.finish(run, TrackedEnd("failed", error="disk full"))
    assert list(tmp_path.iterdir()) == []


def test_points_write_into_the_file_of_their_sweep(tmp_path: Path) -> None:
    tracker, sweep = JsonLines(), TrackedRun("s", "sweep", "sweep", directory=tmp_path)
    point = TrackedRun("p", "0", "point", parent="s")
    tracker.start(sweep)
    tracker.start(point)
    tracker.finish(point, DONE)
    tracker.finish(sweep, TrackedEnd("finished", directory=tmp_path))
    assert [(event["event"], event["run"]) for event in events(tmp_path / "events.jsonl")] == [
        *[("start", "s"), ("start", "p"), ("finish", "p"), ("finish", "s")]
    ]


def test_a_line_that_a_killed_process_left_half_written_spoils_no_other(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_bytes(b'{"event": "step", "ru')
    JsonLines().start(TrackedRun("r", "run", directory=tmp_path))
    torn, whole = file.read_text("utf-8").splitlines()
    assert torn == '{"event": "step", "ru'
    assert json.loads(whole)["event"] == "start"


def test_every_line_is_json_whatever_is_in_it(tmp_path: Path) -> None:
    config = {"a": float("nan"), "b": [float("inf"), "\udc80", "\u2028\n"], "c": {"d": ("x",)}}
    JsonLines().start(TrackedRun("r", "run\n", config=config, directory=tmp_path))
    lines = (tmp_path / "events.jsonl").read_bytes().split(b"\n")
    assert len(lines) == 2
    assert json.loads(lines[0])["config"] == {"a": None, "b": [None, "\udc80", "\u2028\n"], "c": {"d": ["x"]}}


# -- secrets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("password", "hunter2", LEFT_OUT),
        ("auth_token", "t", LEFT_OUT),
        ("API-Key", "k", LEFT_OUT),
        ("client_secret", ["s"], [LEFT_OUT]),
        ("uri", "https://me:pw@host/x@y", f"https://{LEFT_OUT}@host/x@y"),
        ("bridge.password", "hunter2", LEFT_OUT),
        ("max_tokens", 500, 500),
        ("token_counter_name", 3, 3),
        ("counter", "chars4", "chars4"),
        ("token", "${oc.env:GRAPHRAG_TOKEN}", "${oc.env:GRAPHRAG_TOKEN}"),
        ("secret", "", ""),
        ("text", "who has the token?", "who has the token?"),
    ],
)
def test_what_looks_like_a_secret_is_left_out(key: str, value: object, told: object) -> None:
    assert without_secrets({"a": {key: value}}) == {"a": {key: told}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("store.password=a,b=c", f"store.password={LEFT_OUT}"),
        ("query.k=5,10", "query.k=5,10"),
        ("~bridge", "~bridge"),
        ("bridge.token='${oc.env:GRAPHRAG_T}'", f"bridge.token={LEFT_OUT}"),
        ("graph.url=https://me:pw@host", f"graph.url=https://{LEFT_OUT}@host"),
    ],
)
def test_what_looks_like_a_secret_is_left_out_of_an_override(text: str, told: str) -> None:
    assert override_without_secrets(text) == told


# -- config --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def load() -> Callable[..., Any]:
    host = PluginHost.discover(entry_points=False, environ={})
    return lambda *overrides: load_settings(overrides, host=host)


def trackers(settings: Any) -> Mapping[str, Any]:
    return {name: (spec.use, spec.params.model_dump()) for name, spec in settings.trackers.items()}


def test_the_tracker_jsonl_is_there_by_default_and_can_be_left_out(load: Callable[..., Any]) -> None:
    assert trackers(load()) == {"jsonl": ("jsonl", {"path": None, "steps": True})}
    for nobody in ("trackers=none", "~trackers.jsonl"):
        assert trackers(load(nobody)) == {}


def test_a_config_without_the_section_has_the_default(load: Callable[..., Any]) -> None:
    assert trackers(load("~trackers")) == trackers(load())


def test_one_tracker_may_be_there_twice(load: Callable[..., Any]) -> None:
    settings = load("trackers.all.use=jsonl", "trackers.all.path=all.jsonl")
    assert list(trackers(settings)) == ["jsonl", "all"]
    assert settings.tree["trackers"]["all"] == {"use": "jsonl", "path": "all.jsonl", "steps": True}


@pytest.mark.parametrize("option", ["quiet", "quiet:quiet"])
def test_a_tracker_of_a_plugin_is_an_option_of_its_group(tmp_path: Path, option: str) -> None:
    file = tmp_path / "quiet.py"
    file.write_text(
        "from graphrag_pipeline import Component, hookimpl\n\n\n"
        'class Quiet(Component):\n    """Says nothing."""\n\n    name = "quiet"\n\n'
        "    def start(self, run): ...\n    def log(self, run, step): ...\n"
        "    def finish(self, run, end): ...\n\n\n"
        "@hookimpl\ndef graphrag_register_trackers():\n    return [Quiet]\n"
    )
    host = PluginHost.discover(files=[file], entry_points=False, environ={}, strict=True)
    settings = load_settings([f"trackers={option}"], host=host)
    assert {name: spec.use for name, spec in settings.trackers.items()} == {"quiet": option}


@pytest.mark.parametrize(
    ("override", "is_one"),
    [
        *[("trackers=none", True), ("+trackers=mlflow", True), ("~trackers.jsonl", True)],
        *[("trackers.jsonl.path=a=b", True), ("query.text=trackers", False), ("trackers_of=x", False)],
    ],
)
def test_overrides_about_trackers_can_be_told_from_others(override: str, is_one: bool) -> None:
    assert chooses_trackers(override) is is_one
