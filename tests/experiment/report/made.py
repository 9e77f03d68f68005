"""Made runs and sweeps, whose figures can be reckoned by hand or are known to differ."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from graphrag_pipeline.experiment.report.document import Wanted, sweep_report
from graphrag_pipeline.experiment.sweep.results import PointResult, SweepResults
from graphrag_pipeline.plugin.host import PluginHost

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202egpj.exe\x07"
"""Text that would end a script, add an element, turn what follows around, and ring."""


def small_sweep(values: list[list[float]], keys: dict[str, list[str]], **parts) -> SweepResults:
    """A sweep of one measure; each row is a config, each key has a value for each."""
    table = np.array([values])
    seconds = parts.get("seconds", [0.001] * len(values))
    points = tuple(
        PointResult(
            number,
            {key: texts[number] for key, texts in keys.items()},
            f"{number:064x}",
            "unfinished" if np.isnan(row).all() else "done",
            0,
            seconds[number],
        )
        for number, row in enumerate(values)
    )
    return SweepResults(
        Path("made"),
        parts.get("dataset", "made"),
        tuple(keys),
        points,
        tuple(f"q{place}" for place in range(table.shape[2])),
        ("nDCG@10",),
        table,
        np.full(table.shape[1:], 0.001),
    )


def large_sweep(seeds: tuple[str, ...] = ("bm25", "label", "hybrid"), queries: int = 120) -> SweepResults:
    """A sweep over a choice, a whole number and a range of many numbers."""
    random = np.random.default_rng(5)
    hard = random.uniform(0.1, 0.9, queries)
    points: list[PointResult] = []
    rows, times, tokens = [], [], []
    for seed in seeds:
        for hops in (1, 2, 3):
            for weight in np.round(np.linspace(0, 1, 15), 3):
                skill = {"bm25": 0.02, "label": -0.1}.get(seed, 0.1) + 0.05 * hops - 0.3 * (weight - 0.6) ** 2
                rows.append(np.clip(hard + skill + random.normal(0, 0.15, queries), 0, 1))
                tokens.append(np.full(queries, 300.0 * hops + random.integers(0, 200)))
                seconds = 0.001 * hops**2 + (0.004 if seed == "hybrid" else 0.001) + random.uniform(0, 0.001)
                times.append(np.full(queries, seconds))
                values = {"seed": seed, "query.max_hops": str(hops), "score.weights.textual": str(weight)}
                points.append(PointResult(len(points), values, f"{len(points):064x}", "done", 0, seconds))
    return SweepResults(
        Path("large"),
        "made",
        tuple(points[0].values),
        tuple(points),
        tuple(f"q{place:03}" for place in range(queries)),
        ("nDCG@10", "tokens"),
        np.array([rows, tokens]),
        np.array(times),
    )


def swept(found: SweepResults, manifest: dict[str, object] | None = None, **wanted) -> str:
    """The report of a sweep of which nothing is run again."""
    host = PluginHost.discover(entry_points=False, environ={})
    asked = Wanted(**{"worst": 0, **wanted})
    return sweep_report(found, manifest or {}, asked, host, lambda done, total: None)


def graph_files(directory: Path) -> None:
    """A graph with cells, and a question set over it: found, left out, dropped, and never reached."""
    nodes = [
        ("audit", "process", "audit log", "architect:how"),
        ("board", "team", "review board", "architect:who"),
        ("ledger", "system", "ledger", "engineer:what"),
        ("far", "place", HOSTILE, "executive"),
        ("bare", "place", "bare", None),
    ]
    edges = [("audit", "board", "read_by"), ("board", "ledger", "keeps"), ("far", "bare", "is")]
    graph = {
        "nodes": [
            {
                "node_id": name,
                "node_type": kind,
                "label": label,
                "properties": {} if cell is None else {"zachman_cell": cell},
            }
            for name, kind, label, cell in nodes
        ],
        "edges": [{"source_id": one, "target_id": other, "edge_type": kind} for one, other, kind in edges],
    }
    questions = [
        {"id": "q1", "text": "audit", "cell": "architect:how"},
        {"id": "q2", "text": HOSTILE},
        {"id": "q3", "text": "tea"},
        {"id": "q4", "text": "review board"},
    ]
    (directory / "set").mkdir()
    (directory / "graph.json").write_text(json.dumps(graph), "utf-8")
    (directory / "set/queries.jsonl").write_text(
        "".join(f"{json.dumps(one)}\n" for one in questions), "utf-8"
    )
    qrels = "q1 0 audit 1\nq1 0 ledger 1\nq2 0 bare 1\nq3 0 far 1\nq3 0 bare 1\nq3 0 audit 0\n"
    (directory / "set/qrels.txt").write_text(qrels, "utf-8")
