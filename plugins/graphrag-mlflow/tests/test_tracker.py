from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from graphrag_mlflow.earlier import PROCESS, this_process

from graphrag_pipeline import TrackedEnd, TrackedRun, TrackedStep

# MLflow asks SQLAlchemy for what it will no longer have one day.
pytestmark = pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy")
RUN = TrackedRun("5a", "one", config={"query": {"k": 10}}, tags={"graph": "f00"}, steps=2)
FINISHED = TrackedEnd("finished", {"nDCG@10": 0.25})
CRASHED = TrackedEnd("failed", error="StageError: no tea")


def whole(tracker, run=RUN, end=FINISHED):
    tracker.start(run)
    tracker.finish(run, end)


def test_a_run_can_be_read_back(make, runs, client, tmp_path, artefacts):
    for name, text in {"metrics.json": "{}", "part/rows.csv": "a,b", ".hidden": "x"}.items():
        (tmp_path / "run" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "run" / name).write_text(text)
    tracker = make(tags={"team": "blue"})
    tracker.start(RUN)
    tracker.log(RUN, TrackedStep(0, "q1", values={"nDCG@10": 0.5}, seconds=0.125))
    tracker.log(RUN, TrackedStep(1, "q2", "failed", error="no tea"))
    manifest = {
        "versions": {"graphrag-pipeline": "0.1.0"},
        "plugins": [{"name": "builtin", "version": "0.1.0", "digest": "d1"}],
    }
    tracker.finish(RUN, TrackedEnd("finished", {"nDCG@10": 0.25}, manifest, tmp_path / "run"))
    (run,) = runs()
    assert (run.info.status, run.info.run_name) == ("FINISHED", "one")
    assert run.data.params == {"query.k": "10"}
    assert run.data.metrics["nDCG_at_10"] == 0.25
    history = client.get_metric_history(run.info.run_id, "query/failed")
    assert [(metric.step, metric.value) for metric in history] == [(0, 0.0), (1, 1.0)]
    assert [m.value for m in client.get_metric_history(run.info.run_id, "query/nDCG_at_10")] == [0.5]
    expected = {
        "team": "blue",
        "graphrag.run": "5a",
        "graphrag.graph": "f00",
        "graphrag.kind": "evaluate",
        "graphrag.params_cut": "0",
        "graphrag.artefacts_left_out": "0",
        "graphrag.ended": "finished",
        "graphrag.version": "0.1.0",
        "graphrag.plugins": "builtin 0.1.0 d1",
    }
    assert expected.items() <= run.data.tags.items()
    assert sorted(file.path for file in client.list_artifacts(run.info.run_id)) == ["metrics.json", "part"]
    kept = artefacts / run.info.run_id / "artifacts"
    assert (kept / "part/rows.csv").read_text() == "a,b"


def test_points_of_a_sweep_are_nested(make, runs):
    tracker, sweep = make(), TrackedRun("5e", "sweep", "sweep")
    tracker.start(sweep)
    for number in range(3):
        whole(tracker, TrackedRun(f"5e/{number}", str(number), "point", parent="5e"))
    tracker.finish(sweep, FINISHED)
    parent, *points = runs()
    assert [run.data.tags.get("mlflow.parentRunId") for run in points] == [parent.info.run_id] * 3
    assert "mlflow.parentRunId" not in parent.data.tags
    assert {run.info.status for run in (parent, *points)} == {"FINISHED"}


@pytest.mark.parametrize("status", ["failed", "interrupted"])
def test_a_run_that_did_not_finish_is_failed(make, runs, status):
    whole(make(), end=TrackedEnd(status, error="why"))
    (run,) = runs()
    assert (run.info.status, run.data.tags["graphrag.ended"]) == ("FAILED", status)
    assert run.data.tags["graphrag.error"] == "why"


def test_a_retry_goes_on_in_the_run_that_failed(make, runs):
    whole(make(), end=CRASHED)
    whole(make())
    (run,) = runs()
    assert run.info.status == "FINISHED"
    assert (run.data.tags["graphrag.attempts"], run.data.tags["graphrag.ended"]) == ("2", "finished")


def test_a_finished_run_is_not_written_to_again(make, runs):
    whole(make())
    whole(make())
    assert [run.info.status for run in runs()] == ["FINISHED", "FINISHED"]


def test_a_retry_with_other_params_is_a_run_of_its_own(make, runs):
    whole(make(), end=CRASHED)
    whole(make(), TrackedRun("5a", "one", config={"query": {"k": 11}}))
    assert [run.info.status for run in runs()] == ["FAILED", "FINISHED"]


def test_a_run_that_somebody_still_writes_is_left_alone(make, runs):
    first = make()
    first.start(RUN)
    whole(make())
    assert [run.info.status for run in runs()] == ["RUNNING", "FINISHED"]
    first.finish(RUN, FINISHED)
    assert [run.info.status for run in runs()] == ["FINISHED", "FINISHED"]


def test_a_run_whose_process_was_killed_is_taken_over(make, runs, client):
    make().start(RUN)
    (run,) = runs()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    machine = this_process().partition(":")[0]
    client.set_tag(run.info.run_id, PROCESS, f"{machine}:{gone.pid}")
    whole(make())
    assert [run.info.status for run in runs()] == ["FINISHED"]


def test_long_values_are_cut_and_counted(make, runs):
    whole(make(), TrackedRun("5a", "one", config={"a": "x" * 9000, "b": {str(n): n for n in range(250)}}))
    (run,) = runs()
    assert len(run.data.params) == 251
    assert len(run.data.params["a"]) == 6000
    assert run.data.tags["graphrag.params_cut"] == "1: a"


def test_more_metrics_than_fit_into_one_call(make, runs, client):
    tracker = make()
    tracker.start(RUN)
    for number in range(700):
        tracker.log(RUN, TrackedStep(number, f"q{number}", values={"RR": 1.0}))
    tracker.finish(RUN, FINISHED)
    (run,) = runs()
    assert len(client.get_metric_history(run.info.run_id, "query/RR")) == 700


def test_what_is_not_wanted_is_not_sent(make, runs, client, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "big.bin").write_bytes(bytes(2000))
    (tmp_path / "run" / "small.txt").write_text("x")
    tracker = make(steps=False, max_artefact_mb=0.001)
    tracker.start(RUN)
    tracker.log(RUN, TrackedStep(0, "q1", values={"RR": 1.0}))
    tracker.finish(RUN, TrackedEnd("finished", directory=tmp_path / "run"))
    (run,) = runs()
    assert run.data.metrics == {}
    assert [file.path for file in client.list_artifacts(run.info.run_id)] == ["small.txt"]
    assert run.data.tags["graphrag.artefacts_left_out"] == "1: big.bin"


def test_files_that_cannot_be_kept_leave_a_failed_run(make, runs, tmp_path, artefacts):
    artefacts.write_text("a file in the way")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "x.txt").write_text("x")
    tracker = make()
    tracker.start(RUN)
    with pytest.raises(OSError, match="artefacts"):
        tracker.finish(RUN, TrackedEnd("finished", directory=tmp_path / "run"))
    assert [run.info.status for run in runs()] == ["FAILED"]


def test_the_environment_names_store_and_experiment(make, store, runs, experiment, monkeypatch):
    monkeypatch.setenv("MLFLOW_TRACKING_URI", store)
    monkeypatch.setenv("MLFLOW_EXPERIMENT_NAME", experiment)
    whole(make(tracking_uri=None, experiment=None))
    assert len(runs()) == 1


def test_the_environment_is_left_as_it_was(make):
    before = dict(os.environ)
    whole(make())
    assert dict(os.environ) == before


def test_nobody_there_is_told_quickly(make):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.monotonic()
    with pytest.raises(Exception, match="Connection refused"):
        make(tracking_uri=f"http://127.0.0.1:{port}", retries=0).start(RUN)
    assert time.monotonic() - started < 30


def test_a_server_that_says_nothing_is_given_up(make):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        done: list[str] = []

        def start() -> None:
            try:
                make(tracking_uri=f"http://127.0.0.1:{port}", timeout_s=1, retries=0).start(RUN)
            except Exception as error:  # noqa: BLE001  # whatever MLflow makes of it
                done.append(str(error))

        thread = threading.Thread(target=start, daemon=True)
        thread.start()
        thread.join(30)
        assert done
        assert "timed out" in done[0].lower()


def test_no_file_is_left_where_the_run_was_started(make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole(make())
    assert list(Path().iterdir()) == []
