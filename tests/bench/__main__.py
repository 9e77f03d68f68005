"""``make bench``: our query against the oracle's on generated graphs, and the command line's start.

Prints a Markdown table and writes ``build/bench.json``.
"""

from __future__ import annotations

import json
import platform
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from graphrag_pipeline import GraphRAG, KnowledgeGraph, NoOpLyraBridge
from tests.bench.clock import Timing, command, each
from tests.bench.graphs import generate, queries
from tests.conformance.oracle import Oracle

SIZES = (1_000, 10_000)
HOPS = (1, 2, 3)
QUERIES = 60
ORACLE_QUERIES = 3
ORACLE_LIMIT = 20_000
"""The oracle scans every edge for every visited node; nodes × hops beyond this would take minutes."""


def main() -> None:
    """Run everything."""
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        data = generate(size)
        started = time.perf_counter()
        ours = GraphRAG(KnowledgeGraph.from_dict(data), lyra_bridge=NoOpLyraBridge())
        ours.query("warm up")
        build = time.perf_counter() - started
        oracle = Oracle(data, "noop")
        for hops in HOPS:
            asked = [_query(text, hops) for text in queries(size, QUERIES)]
            mine = each([partial(_ours, ours, query) for query in asked])
            theirs = (
                each([partial(oracle.ask, query) for query in asked[:ORACLE_QUERIES]])
                if size * hops <= ORACLE_LIMIT
                else None
            )
            rows.append({"nodes": size, "hops": hops, "build_s": build, "ours": mine, "oracle": theirs})
            print(_row(rows[-1]), flush=True)
    print("\n| command | CPU ms p50 | wall ms p50 |\n|---|---|---|")
    commands = {
        "--help": ["--help"],
        "--version": ["--version"],
        "config show": ["config", "show"],
        'query "audit"': ["query", "audit", "bridge=noop"],
    }
    for name, arguments in commands.items():
        timing = command(arguments)
        rows.append({"command": name, "timing": timing})
        print(f"| `{name}` | {timing.cpu_p50:.0f} | {timing.wall_p50:.0f} |", flush=True)
    _save(rows)


def _query(text: str, hops: int) -> dict[str, Any]:
    return {"text": text, "k": 10, "persona_id": "P-007", "zachman_cell": "architect:who", "max_hops": hops}


def _ours(rag: GraphRAG, query: dict[str, Any]) -> object:
    from graphrag_pipeline import ZachmanCell

    cell = ZachmanCell.from_coordinate(query["zachman_cell"])
    return rag.query(query["text"], query["k"], query["persona_id"], cell, query["max_hops"])


def _row(row: dict[str, Any]) -> str:
    ours, oracle = row["ours"], row["oracle"]
    head = ""
    if row["nodes"] == SIZES[0] and row["hops"] == HOPS[0]:
        head = "| nodes | hops | ours CPU ms p50 | p95 | oracle CPU ms p50 | ratio |\n"
        head += "|---|---|---|---|---|---|\n"
    against = f"{oracle.cpu_p50:.1f} | {oracle.cpu_p50 / ours.cpu_p50:.0f}" if oracle else "– | –"
    return f"{head}| {row['nodes']} | {row['hops']} | {ours.cpu_p50:.2f} | {ours.cpu_p95:.2f} | {against} |"


def _plain(value: object) -> object:
    return asdict(value) if isinstance(value, Timing) else str(value)


def _save(rows: list[dict[str, Any]]) -> None:
    target = Path("build/bench.json")
    target.parent.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    target.write_text(json.dumps({"machine": machine, "rows": rows}, default=_plain, indent=1) + "\n")


if __name__ == "__main__":
    main()
