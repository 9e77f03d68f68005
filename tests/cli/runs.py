"""A question set over three nodes, a plugin that can be changed, and the command that makes a run of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.run_files import seal_of

GRAPH: dict[str, list[dict[str, str]]] = {
    "nodes": [
        {"node_id": "audit", "node_type": "process", "label": "audit log"},
        {"node_id": "review board", "node_type": "team", "label": "board"},
        {"node_id": "帳簿", "node_type": "system", "label": "ledger 帳簿"},
    ],
    "edges": [
        {"source_id": "audit", "target_id": "review board", "edge_type": "read_by"},
        {"source_id": "review board", "target_id": "帳簿", "edge_type": "keeps"},
    ],
}
QUERIES = ({"id": "q1", "text": "audit"}, {"id": "問 2", "text": "帳簿", "k": 1}, {"id": "q3", "text": "tea"})
QRELS = "q1 0 audit 1\nq1 0 review%20board 1\nq3 0 audit 1\n"
PLUGIN = """
import os

import numpy as np
from graphrag_pipeline import Component, hookimpl


class Shift(Component):
    name = "shift"

    def compute(self, candidates, query, index):
        if query.text == FAILS:
            secret = os.environ.get("GRAPHRAG_RUN_WORD")
            raise RuntimeError(f"no {query.text} today, says {object()}: {secret}")
        return np.where(np.arange(len(candidates)) == 1, SHIFT, 0.0)


@hookimpl
def graphrag_register_signals():
    return [Shift]
"""
COMMAND = (
    *("evaluate", "dataset.path=set", "graph=json", "graph.path=graph.json"),
    *("bridge=noop", "personas=none", "--measure", "RR"),
)
SHIFTED = ("--plugin", "shift.py")


def write_files(directory: Path) -> None:
    """Write graph, questions and plugin to a directory."""
    (directory / "set").mkdir()
    write_graph(GRAPH, directory)
    write_queries(QUERIES, directory)
    (directory / "set/qrels.txt").write_text(QRELS, "utf-8")
    write_plugin(directory=directory)


def write_graph(graph: Mapping[str, Any], directory: Path = Path()) -> None:
    (directory / "graph.json").write_text(json.dumps(graph), "utf-8")


def write_queries(queries: Sequence[Mapping[str, object]], directory: Path = Path()) -> None:
    lines = "".join(f"{json.dumps(query, ensure_ascii=False)}\n" for query in queries)
    (directory / "set/queries.jsonl").write_text(lines, "utf-8")


def write_plugin(shift: float = 0.5, fails: str = "", directory: Path = Path()) -> None:
    """Write a signal that is ``shift`` for the second candidate, and fails for one text."""
    (directory / "shift.py").write_text(f"{PLUGIN}\n\nSHIFT = {shift!r}\nFAILS = {fails!r}\n", "utf-8")


def change_manifest(run: str | Path, change: Mapping[str, Any], *, sealed: bool = True) -> None:
    """Change what a manifest says, and seal it anew as a forger would."""
    path = Path(run, "manifest.json")
    manifest = {**json.loads(path.read_text("utf-8")), **change}
    if sealed:
        manifest["seal"] = seal_of(manifest)
    path.write_text(json.dumps(manifest), "utf-8")
