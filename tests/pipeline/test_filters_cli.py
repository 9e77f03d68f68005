"""What the command line shows of filters, and that it is the same in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphrag_pipeline.cli.app import run
from tests.tiny import edge, graph_of, node

NEAR = "filter: nearest cells that would keep some: engineer:* (1)"


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A query by cell over a graph of three nodes."""
    monkeypatch.setenv("GRAPHRAG_PLUGINS_DISABLE_AUTOLOAD", "1")
    graph = graph_of(
        [
            node("a", "Risk", zachman_cell="architect:how"),
            node("b", "Control", zachman_cell="engineer:how"),
            node("c"),
        ],
        [edge("a>b", "owns"), edge("b>c", "uses")],
    )
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph.to_dict()))
    cell = "query.cell=architect:how"
    return ["query", "risk", "graph=json", f"graph.path={path}", "personas=none", "bridge=noop", cell]


def test_a_shortage_is_a_note(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(asked) == 0
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "note: filter: 1 of 3 candidates are left, fewer than k = 10",
        f"note: {NEAR}",
    ]
    assert NEAR not in told.out


def test_explain_shows_it_beside_what_was_dropped(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*asked, "--explain", "expand.gate=filter"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    at = lines.index("dropped by expand, other_perspective: b")
    assert lines[at + 1 : at + 4] == [
        "expand: the gate 'filter' is shut to 1 of the 2 nodes the walk met",
        "expand: 1 of 2 candidates are left, fewer than k = 10",
        "expand: nearest cells that would keep some: engineer:* (1)",
    ]
    assert "dropped 1 other_perspective" in told.out


def test_json_has_it_in_the_trace(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*asked, "--json", "--explain"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    steps = json.loads(told.out)["trace"]["slots"]
    assert steps[2]["remarks"] == ["1 of 3 candidates are left, fewer than k = 10", NEAR.partition(": ")[2]]
    assert steps[0]["remarks"] == []


def test_every_process_gives_the_same_bytes(asked: list[str], root: Path) -> None:
    among = "{property: {key: x, in: [1, y, true]}}"
    rule = f"filter.rule={{any: [{{node_type: [a, b, zz]}}, {among}, {{edge_type: [owns]}}]}}"
    command = [*asked, "--json", "--explain", "filter=rules", rule, "expand.gate=filter"]
    answers = []
    for seed in ("0", "42"):
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-m", "graphrag_pipeline", *command],
            capture_output=True,
            env=environ,
            check=True,
            timeout=60,
        )
        told = json.loads(done.stdout)
        told["trace"].pop("seconds")
        for step in told["trace"]["slots"]:
            step.pop("seconds")
        answers.append(json.dumps(told))
    assert answers[0] == answers[1]
    assert "no node has the node type 'zz'" in answers[0]
