"""The real FCC graph: two hundred generated queries, ours and the oracle's side by side."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import CELLS
from tests.conformance.oracle import Oracle, Ours, as_bytes


def _queries(graph: dict[str, Any], personas: list[str], count: int) -> list[dict[str, Any]]:
    """Queries that hit: labels, parts of labels, words, ids, with and without persona and cell."""
    rng = random.Random(20261130)
    labels = [node["label"] for node in graph["nodes"]]
    ids = [node["node_id"] for node in graph["nodes"]]

    def text() -> str:
        label = rng.choice(labels)
        words = label.split() or [""]
        cut = rng.randrange(len(label) + 1)
        texts = [label, label.upper(), label[:cut], rng.choice(words), rng.choice(ids), f" {label} x"]
        return str(rng.choice(texts))

    return [
        {
            "text": text(),
            "k": rng.choice([0, 1, 2, 5, 10, 50]),
            "persona_id": rng.choice([None, "", rng.choice(personas), rng.choice(personas).lower()]),
            "zachman_cell": rng.choice([None, rng.choice(CELLS).coordinate]),
            "max_hops": rng.choice([-1, 0, 1, 2, 3]),
        }
        for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("name", "seed_bridge"), [("graph.json", "default"), ("graph.zachman36.json", "default")]
)
def test_generated_queries_on_the_fcc_graph_give_the_oracles_bytes(
    shared: Path, name: str, seed_bridge: str
) -> None:
    folder = shared / "fcc-kg"
    graph = json.loads((folder / name).read_text(encoding="utf-8"))
    personas = [
        persona["id"] for persona in json.loads((folder / "personas.json").read_text(encoding="utf-8"))
    ]
    oracle, ours = Oracle(graph, seed_bridge), Ours(graph, seed_bridge)
    answered = 0
    for query in _queries(graph, personas, 200):
        expected = oracle.ask(query)
        answered += bool(expected["scored"])
        assert as_bytes(ours.ask(query)) == as_bytes(expected), query
    assert answered > 60, "the generated queries hardly hit anything, so they prove nothing"
