"""The reference system's recorded answers, byte for byte."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.oracle import Ours, as_bytes


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_recorded_query_on_the_fcc_graphs_gives_the_recorded_answer(shared: Path) -> None:
    folder = shared / "fcc-kg"

    @cache
    def engine(graph: str, bridge: str) -> Ours:
        return Ours(json.loads((folder / graph).read_text(encoding="utf-8")), bridge)

    cases = _lines(folder / "golden.jsonl")
    assert len(cases) >= 40
    for case in cases:
        result = engine(case["graph"], case["bridge"]).ask(case["query"])
        expected = case["expected"]
        assert [node["node_id"] for node in result["nodes"]] == expected["node_ids"], case["id"]
        assert result["scored"] == expected["scored"], case["id"]
        assert result["paths"] == expected["paths"], case["id"]
        edges = [[edge["source_id"], edge["target_id"], edge["edge_type"]] for edge in result["edges"]]
        assert edges == expected["edges"], case["id"]
        assert result["context_text"] == expected["context_text"], case["id"]
        canonical = json.dumps(result, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(canonical.encode("utf-8")).hexdigest() == case["sha256_full"], case["id"]


def test_every_recorded_query_on_random_graphs_gives_the_recorded_bytes(shared: Path) -> None:
    graphs = _lines(shared / "fcc-random" / "golden.jsonl")
    assert sum(len(graph["cases"]) for graph in graphs) >= 120
    for graph in graphs:
        engine = Ours(graph["graph"], graph["bridge"], graph.get("bridge_graph"))
        for number, case in enumerate(graph["cases"]):
            assert as_bytes(engine.ask(case["query"])) == as_bytes(case["expected"]), (graph["id"], number)
