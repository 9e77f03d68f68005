"""`sweep`: what it finds, that it goes on where it stopped, and how it ends when something is wrong."""

from __future__ import annotations

import csv
import errno
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from graphrag_pipeline.experiment.sweep import store
from graphrag_pipeline.experiment.sweep.results import read_sweep
from tests.cli.conftest import environment
from tests.cli.test_evaluate import FAULTY, GRAPH, QRELS, QUERIES, asking

BASE = ("dataset.path=set", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none")
SWEEP = ("sweep", *BASE, "--output", "out")
WEIGHTS = "score.weights.label_match=0,0.5,0.9"
SLOW = """
import time

from graphrag_pipeline import Component, Seed, hookimpl


class Slow(Component):
    name = "slow"

    def retrieve(self, query, index, k):
        with open("asked.txt", "a") as file:
            file.write(f"{query.text}\\n")
        if query.text == "tea":
            time.sleep(60)
        return [Seed("audit", 1.0)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Slow]
"""
LOCKED = """
from graphrag_pipeline import Component, Params, Seed, hookimpl


class LockedParams(Params):
    password: str = ""


class Locked(Component[LockedParams]):
    name = "locked"
    Params = LockedParams

    def retrieve(self, query, index, k):
        return [Seed("audit", 1.0)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Locked]
"""
METRIC = """
from graphrag_pipeline import Component, hookimpl


class Length(Component):
    name = "length"

    def measure(self, ranking, relevant):
        return len(ranking)


@hookimpl
def graphrag_register_metrics():
    return [Length]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.json").write_text(json.dumps(GRAPH), "utf-8")
    Path("set").mkdir()
    asking(QUERIES)
    Path("set/qrels.txt").write_text(QRELS, "utf-8")
    Path("faulty.py").write_text(FAULTY)
    Path("slow.py").write_text(SLOW)
    return tmp_path


def points(directory: str = "out") -> list[dict[str, str]]:
    """The table of a sweep, without what is a time."""
    with Path(directory, "points.csv").open(encoding="utf-8", newline="") as file:
        return [
            {key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)
        ]


def numbers(directory: str = "out"):
    """All values of a sweep, as bytes."""
    found = read_sweep(Path(directory))
    return found.queries, found.measures, found.values.tobytes()


def test_every_config_has_a_row_with_the_values_of_an_evaluation(files, cli):
    done = cli(*SWEEP, "query.max_hops=0,1", "seed=label,bm25")
    assert done.code == 0
    assert "4 configs, 3 queries" in done.err
    rows = points()
    assert [(row["query.max_hops"], row["seed"]) for row in rows] == [
        ("0", "label"),
        ("0", "bm25"),
        ("1", "label"),
        ("1", "bm25"),
    ]
    for row in rows:
        chosen = f"query.max_hops={row['query.max_hops']}", f"seed={row['seed']}"
        run = cli("evaluate", *BASE, *chosen, "--output", "run", "--force", "--json")
        measures = json.loads(run.out)["measures"]
        assert {name: float(row[name]) for name in measures} == {
            name: value["mean"] for name, value in measures.items()
        }


def test_a_query_with_rules_of_its_own_has_the_values_of_an_evaluation(files, cli):
    ruled = {"id": "q1", "text": "audit", "filters": {"narrow": {"node_type": ["team"]}}}
    asking([ruled, *QUERIES[1:]])
    rules = ("+narrow.kind=filter", "+narrow.use=rules", "+narrow.rule.hop.max=3")
    more = (*rules, "pipeline.order=[seed,expand,narrow,score,context]")
    assert cli(*SWEEP, *more, WEIGHTS, "--measure", "RR", "--measure", "candidates").code == 0
    for row in points():
        weight = f"score.weights.label_match={row['score.weights.label_match']}"
        run = cli("evaluate", *BASE, *more, weight, "--output", "run", "--force", "--json")
        found = json.loads(run.out)
        assert float(row["RR"]) == found["measures"]["RR"]["mean"]
        assert float(row["candidates"]) == found["graph"]["candidates"]["mean"]


def test_a_metric_of_a_plugin_is_a_measure(files, cli):
    Path("metric.py").write_text(METRIC)
    done = cli(*SWEEP, "query.k=1,2", "--plugin", "metric.py", "--measure", "length", "--measure", "R@10")
    assert done.code == 0
    run = cli(
        *("evaluate", *BASE, "query.k=1", "--plugin", "metric.py", "--output", "run", "--json"),
        *("--measure", "length"),
    )
    assert float(points()[0]["length"]) == json.loads(run.out)["measures"]["length"]["mean"] > 0


def test_values_of_results_are_measures_too(files, cli):
    done = cli(*SWEEP, "context.max_tokens=5,500", "--measure", "tokens", "--measure", "gold_context")
    assert done.code == 0
    few, many = points()
    assert float(few["tokens"]) < float(many["tokens"])
    assert float(few["gold_context"]) < float(many["gold_context"])


def test_the_same_command_runs_nothing_again(files, cli):
    assert cli(*SWEEP, WEIGHTS).code == 0
    before, table = numbers(), points()
    done = cli(*SWEEP, WEIGHTS)
    assert done.code == 0
    assert "18 of them are done already, 0 are left" in done.err
    assert (numbers(), points()) == (before, table)


def test_a_plan_is_told_and_nothing_is_written(files, cli):
    done = cli(*SWEEP, WEIGHTS, "--plan", "--json")
    assert json.loads(done.out) == {
        "configs": 3,
        "distinct": 3,
        "queries": 3,
        "separate": 63,
        "shared": 18,
        "left": 18,
        "graphs": 1,
        "saved": 3.5,
    }
    assert not Path("out").exists()


def test_all_invalid_configs_are_told_before_anything_runs(files, cli):
    done = cli(*SWEEP, "score.weights.label_match=0.1,bad,0.9", "context.max_tokens=0,10")
    assert done.code == 2
    assert "score.weights.label_match" in done.err
    assert "context.max_tokens" in done.err
    assert not Path("out").exists()


def test_configs_that_differ_in_what_nothing_sees_are_told(files, cli):
    done = cli(*SWEEP, "context.max_tokens=10,20,30")
    assert "2 configs do the same as another, as far as the measures see" in done.err
    assert len({row["nDCG@10"] for row in points()}) == 1


def test_any_number_of_processes_gives_the_same(files, cli):
    sweep = (WEIGHTS, "links=none,text", "--plugin", "faulty.py", "seed=label,faulty")
    alone = cli(*SWEEP, *sweep)
    together = cli(*SWEEP[:-1], "both", *sweep, "--jobs", "2")
    assert (alone.code, together.code) == (1, 1)  # `faulty` fails
    assert numbers("out") == numbers("both")
    assert points("out") == points("both")


def test_a_query_that_fails_is_counted_and_the_others_go_on(files, cli):
    done = cli(*SWEEP, "seed=label,faulty", "--plugin", "faulty.py")
    assert done.code == 1
    assert "2 queries of 1 config failed and count 0; the first: " in done.err
    assert "today" in done.err
    failures = [json.loads(line) for line in Path("out/failures.jsonl").read_text("utf-8").splitlines()]
    assert [(line["point"], line["query"], line["rows"]) for line in failures] == [
        (1, "問 2", 1),
        (1, "q3", 1),
    ]
    assert "today" in failures[0]["what"]
    good, bad = points()
    assert (good["status"], good["failed"], bad["status"], bad["failed"]) == ("done", "0", "done", "2")
    assert float(bad["R@10"]) == 0.5  # q1 is found, q3 failed


def test_one_query_that_fails_counts_0(files, cli):
    asking([{"id": "q1", "text": "audit"}, {"id": "q3", "text": "tea"}])
    done = cli(*SWEEP, "seed=label,faulty", "--plugin", "faulty.py")
    assert "1 query of 1 config failed and counts 0; the first: " in done.err


@pytest.mark.parametrize(
    ("sampler", "option", "why"),
    [
        ("grid", ("--trials", "1"), "--trials is for --sampler random, tpe and nsga2, and grid takes every"),
        ("grid", ("--seed", "0"), "--seed is for --sampler random, tpe and nsga2"),
        ("grid", ("--batch", "16"), "--batch is for --sampler tpe and nsga2"),
        ("grid", ("--study", "s.journal"), "--study is for --sampler tpe and nsga2"),
        ("grid", ("--objective", "RR"), "--objective is for --sampler tpe and nsga2"),
        ("random", ("--batch", "4"), "--batch is for --sampler tpe and nsga2"),
        ("random", ("--study", "s.journal"), "--study is for --sampler tpe and nsga2"),
        ("random", ("--objective", "RR"), "--objective is for --sampler tpe and nsga2"),
    ],
)
def test_an_option_that_the_sampler_does_not_look_at_is_refused(files, cli, sampler, option, why):
    done = cli(*SWEEP, WEIGHTS, "--sampler", sampler, *option)
    assert done.code == 2
    assert why in done.err
    assert not Path("out").exists()


def test_a_draw_takes_trials_and_a_seed(files, cli):
    assert cli(*SWEEP, WEIGHTS, "--sampler", "random", "--trials", "2", "--seed", "3").code == 0
    assert len(points()) == 2


@pytest.mark.parametrize("pages", [2, 5, 7])
def test_a_full_disk_is_a_failure_as_in_an_evaluation_and_no_fault_of_the_input(
    files, cli, monkeypatch, pages
):
    connect = store._connect

    def small(path):
        connection = connect(path)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(store, "_connect", small)
    done = cli(*SWEEP, WEIGHTS)
    assert done.code == 1
    assert "error: The disk is full." in done.err
    monkeypatch.undo()
    monkeypatch.chdir(files)
    assert cli(*SWEEP, WEIGHTS).code == 0


@pytest.mark.parametrize("name", ["manifest.json", ".points.csv"])
def test_a_disk_that_is_full_when_other_files_are_written_is_a_failure_too(files, cli, monkeypatch, name):
    write = Path.write_bytes

    def full(path, data):
        if path.name == name:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    done = cli(*SWEEP, WEIGHTS)
    assert done.code == 1
    assert f"error: No space left on device\n  where: out/{name}" in done.err


def test_a_directory_that_cannot_be_made_is_a_fault_of_the_input(files, cli):
    Path("file").write_text("mine")
    assert cli(*SWEEP[:-1], "file/out", WEIGHTS).code == 2


def test_values_of_results_need_no_context(files, cli):
    order = "pipeline.order=[seed,expand,score]"
    assert cli(*SWEEP, WEIGHTS, order, "--measure", "gold_candidates", "--measure", "R@10").code == 0
    assert [(row["status"], row["failed"], row["gold_candidates"]) for row in points()] == [
        ("done", "0", "0.5")
    ] * 3


def test_all_queries_may_fail(files, cli):
    asking([{"id": "q3", "text": "tea"}])
    done = cli(*SWEEP, "query.k=1,2", "seed=faulty", "--plugin", "faulty.py")
    assert done.code == 1
    assert [(row["status"], row["RR"]) for row in points()] == [("failed", "0.0"), ("failed", "0.0")]


def test_a_set_without_queries_is_refused(files, cli):
    asking([])
    done = cli(*SWEEP, WEIGHTS)
    assert done.code == 2
    assert not Path("out").exists()


def test_a_sweep_of_nothing_is_one_config(files, cli):
    assert cli(*SWEEP).code == 0
    assert len(points()) == 1


def test_a_graph_without_nodes_gives_nothing_to_all(files, cli):
    Path("graph.json").write_text('{"nodes": [], "edges": []}')
    Path("set/qrels.txt").unlink()
    assert cli(*SWEEP, WEIGHTS).code == 0
    assert [row["status"] for row in points()] == ["done"] * 3


def test_a_store_of_other_data_is_refused_with_what_differs(files, cli):
    assert cli(*SWEEP, WEIGHTS).code == 0
    before = numbers()
    Path("set/qrels.txt").write_text("q1 0 audit 1\n")
    done = cli(*SWEEP, WEIGHTS)
    assert done.code == 2
    assert "dataset" in done.err
    assert "--force-new" in done.err
    assert numbers() == before
    assert cli(*SWEEP, WEIGHTS, "--force-new").code == 0
    assert numbers() != before


def test_something_else_is_not_overwritten(files, cli):
    Path("out").mkdir()
    Path("out/thesis.txt").write_text("mine")
    for options in ([], ["--force-new"]):
        done = cli(*SWEEP, WEIGHTS, *options)
        assert done.code == 2
        assert "something else than a sweep" in done.err
    assert [path.name for path in Path("out").iterdir()] == ["thesis.txt"]


def test_an_unknown_measure_is_told_before_anything_runs(files, cli):
    done = cli(*SWEEP, WEIGHTS, "--measure", "nDGC@10")
    assert done.code == 2
    assert "nDGC@10" in done.err
    assert not Path("out").exists()


# -- processes of their own --------------------------------------------------------------------------


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """A sweep whose third query, tea, takes a minute; it is at that query when this returns."""
    command = [sys.executable, "-m", "graphrag_pipeline", *SWEEP, WEIGHTS, "seed=slow", *arguments]
    process = subprocess.Popen(
        [*command, "--plugin", "slow.py"],
        env=environment(),
        stderr=subprocess.PIPE,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # no threads here
    )
    limit = time.monotonic() + 60
    while not (Path("asked.txt").exists() and "tea" in Path("asked.txt").read_text()):
        assert time.monotonic() < limit, "the sweep did not start"
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def goes_on(cli) -> None:
    """What was done is not asked again, and the end is that of a sweep that was never stopped."""
    asked = Path("asked.txt").read_text().split()
    code = Path("slow.py").read_text()
    Path("slow.py").write_text(code.replace("sleep(60)", "sleep(0 )"))
    refused = cli(*SWEEP, WEIGHTS, "seed=slow", "--plugin", "slow.py")
    assert refused.code == 2, "the plugin is another one now"
    assert "slow" in refused.err
    Path("slow.py").write_text(code)
    assert asked == ["audit", "帳簿", "tea"]


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_stopped_keeps_what_is_done(files, cli, monkeypatch, signal_number):
    process = started()
    os.kill(process.pid, signal_number)
    _, err = process.communicate(timeout=60)
    if signal_number == signal.SIGINT:
        assert process.returncode == 130
        assert b"goes on where it stopped" in err
    found = read_sweep(Path("out"))
    assert [point.status for point in found.points] == ["unfinished"] * 3
    goes_on(cli)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    Path("asked.txt").unlink()
    done = cli(*SWEEP, WEIGHTS, "seed=slow", "--plugin", "slow.py")
    assert done.code == 0
    assert Path("asked.txt").read_text().split() == ["tea"]
    assert cli(*SWEEP[:-1], "whole", WEIGHTS, "seed=slow", "--plugin", "slow.py").code == 0
    assert numbers("out") == numbers("whole")


def test_two_sweeps_on_one_store_are_refused(files, cli):
    process = started()
    done = cli(*SWEEP, WEIGHTS, "seed=slow", "--plugin", "slow.py")
    process.kill()
    process.communicate(timeout=60)
    assert done.code == 2
    assert str(process.pid) in done.err


def test_who_is_told_makes_no_other_sweep_and_no_secret_is_kept(files, cli):
    Path("locked.py").write_text(LOCKED)
    sweep = (*SWEEP, WEIGHTS, "--plugin", "locked.py", "seed=locked", "seed.password=hunter2")
    assert cli(*sweep, "trackers.jsonl.path=told.jsonl", "trackers.jsonl.steps=false").code == 0
    assert Path("out/told.jsonl").exists()
    done = cli(*sweep, "trackers=none")
    assert done.code == 0
    assert "0 are left" in done.err
    kept = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    assert [name for name, content in kept.items() if b"hunter2" in content] == []
    assert [name for name, content in kept.items() if b"steps=false" in content] == []
    assert b"seed.password=<left out>" in kept["manifest.json"]
    assert json.loads(Path("out/manifest.json").read_text())["trackers"] == []


@pytest.mark.parametrize("how", [(), ("--jobs", "2"), ("-m",)], ids=["here", "jobs", "launcher"])
def test_a_metric_without_a_value_is_told_once(files, cli, how):
    Path("metric.py").write_text(METRIC.replace("return len(ranking)", 'return float("nan")'))
    more = ("--plugin", "metric.py", "--measure", "length", "--measure", "R@10")
    done = cli(*SWEEP, WEIGHTS, *more, *how)
    assert done.code == 0
    assert done.err.count("The metric length has no value for some queries") == 1
    assert [row["length"] for row in points()] == [""] * 3
    assert all(float(row["R@10"]) == 0.5 for row in points())


def test_a_metric_that_raises_is_an_error_and_the_rest_is_written(files, cli):
    Path("metric.py").write_text(METRIC.replace("return len(ranking)", 'raise ValueError("odd")'))
    more = ("--plugin", "metric.py", "--measure", "length", "--measure", "R@10")
    done = cli(*SWEEP, WEIGHTS, *more)
    assert done.code == 1
    assert "6 values of metrics are missing; the first: The metric length has no value" in done.err
    assert [(row["length"], row["R@10"], row["failed"]) for row in points()] == [("", "0.5", "0")] * 3


@pytest.mark.parametrize("objective", ["-tokens", "RR@5"])
def test_what_a_study_optimises_is_measured(files, cli, objective):
    study = ("--sampler", "tpe", "--trials", "4", "--batch", "2", f"--objective={objective}")
    done = cli(*SWEEP, "query.k=1,2", "query.max_hops=0:2:1", *study)
    assert done.code == 0, done.err
    assert len(points()) == 4
    assert objective.lstrip("-") in points()[0]


@pytest.mark.parametrize("options", [("--sampler", "tpe"), ()])
def test_an_objective_that_is_none_is_refused_before_anything_runs(files, cli, options):
    done = cli(*SWEEP, "query.k=1,2", *options, "--objective=-nonsense")
    assert done.code == 2
    assert not Path("out").exists()


def test_only_points_that_have_run_are_frozen_as_the_best(files, cli):
    process = started()
    process.kill()
    process.communicate(timeout=60)
    done = cli("freeze", "out", "--by", "RR")
    assert done.code == 2
    assert "No point of the sweep that has run on all queries" in done.err
