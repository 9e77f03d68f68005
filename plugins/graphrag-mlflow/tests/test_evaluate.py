"""The command `evaluate` with this tracker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphrag_pipeline.cli.app import run

pytest.importorskip("ir_measures")

# MLflow asks SQLAlchemy for what it will no longer have one day.
pytestmark = pytest.mark.filterwarnings("ignore:The ``noload`` loader strategy")

COMMAND = ("evaluate", "dataset.path=set", "graph=json", "graph.path=g.json", "bridge=noop", "personas=none")
CRASHING = """
from graphrag_pipeline import Component, hookimpl


class Stopping(Component):
    name = "stopping"

    def retrieve(self, query, index, k):
        raise KeyboardInterrupt


@hookimpl
def graphrag_register_seed_retrievers():
    return [Stopping]
"""


@pytest.fixture
def evaluate(tmp_path, monkeypatch, store, experiment, artefacts):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    monkeypatch.setenv("GRAPHRAG_PLUGINS", "graphrag_mlflow")
    nodes = [{"node_id": "audit", "node_type": "process", "label": "audit log"}]
    Path("g.json").write_text(json.dumps({"nodes": nodes, "edges": []}))
    Path("set").mkdir()
    Path("set/queries.jsonl").write_text('{"id": "q1", "text": "audit"}\n')
    Path("set/qrels.txt").write_text("q1 0 audit 1\n")
    Path("stopping.py").write_text(CRASHING)

    def evaluated(*more, uri=store):
        where = {"tracking_uri": uri, "experiment": experiment, "artifact_location": artefacts.as_uri()}
        return run(
            [*COMMAND, "trackers=mlflow", *(f"trackers.mlflow.{k}='{v}'" for k, v in where.items()), *more]
        )

    return evaluated


def test_a_run_is_in_mlflow_with_its_files(evaluate, runs, client):
    assert evaluate("--output", "one") == 0
    (found,) = runs()
    manifest = json.loads(Path("one/manifest.json").read_text())
    assert (found.info.status, found.data.tags["graphrag.run"]) == ("FINISHED", manifest["digest"])
    assert found.data.metrics["RR"] == 1.0
    assert found.data.params["graph.path"] == "g.json"
    assert not [name for name in found.data.params if name.startswith("trackers")]
    files = {file.path for file in client.list_artifacts(found.info.run_id)}
    assert {"manifest.json", "run.trec", "metrics.json", "config.yaml", "queries.csv"} <= files
    assert {state["name"]: state["error"] for state in manifest["trackers"]} == {
        "jsonl": None,
        "mlflow": None,
    }


def test_an_interrupted_run_is_failed_and_a_retry_finishes_it(evaluate, runs):
    assert evaluate("--output", "one", "--plugin", "stopping.py", "seed=stopping") == 130
    assert [found.info.status for found in runs()] == ["FAILED"]
    Path("stopping.py").write_text(CRASHING.replace("raise KeyboardInterrupt", 'return [("audit", 1.0)]'))
    # Another plugin file is another input, so this is another run.
    assert evaluate("--output", "one", "--plugin", "stopping.py", "seed=stopping") == 0
    assert [found.info.status for found in runs()] == ["FAILED", "FINISHED"]


def test_a_server_that_is_not_there_does_not_stop_the_run(evaluate, capsys):
    assert evaluate("--output", "one", uri="http://me:hunter2@127.0.0.1:9") == 0
    assert "The tracker 'mlflow' failed, the run goes on without it" in capsys.readouterr().err
    text = Path("one/manifest.json").read_text()
    states = {state["name"]: state["error"] for state in json.loads(text)["trackers"]}
    assert states["jsonl"] is None
    assert "Connection refused" in states["mlflow"]
    assert "hunter2" not in text
    assert Path("one/metrics.json").exists()


def test_a_value_of_the_environment_stays_there(evaluate, runs, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_PLACE", "g.json")
    assert evaluate("--output", "one", "graph.path=${oc.env:GRAPHRAG_PLACE}") == 0
    (found,) = runs()
    assert found.data.params["graph.path"] == "${oc.env:GRAPHRAG_PLACE}"
