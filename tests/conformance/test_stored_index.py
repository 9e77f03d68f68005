"""An index that was written and opened again answers as the oracle does, in this process and in another."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline import GraphIndex, GraphRAG, ZachmanCell
from tests.conformance.oracle import Oracle, as_bytes
from tests.conformance.test_random_graphs import graphs, queries

HARD_LABELS = [
    "a\x00b",
    "line\nline",
    "\ud800",
    "\udfff x",
    "\u0391\u03a3",
    "\u0391\u03a3 \u0391",
    "İstanbul",
    "ß",
    "ﬃ",
    "\u2028",
    "e\u0301",
]


def ask(rag: GraphRAG, query: dict[str, Any]) -> dict[str, Any]:
    cell = query["zachman_cell"]
    return rag.query(
        query["text"],
        query["k"],
        query["persona_id"],
        None if cell is None else ZachmanCell.from_coordinate(cell),
        query["max_hops"],
    ).to_dict()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(graph=graphs, asked=st.lists(queries, min_size=1, max_size=4))
def test_a_stored_index_gives_the_oracles_bytes(graph: dict[str, Any], asked: list[dict[str, Any]]) -> None:
    oracle = Oracle(graph)
    with tempfile.TemporaryDirectory() as directory:
        GraphIndex.from_dict(graph).save(directory)
        rag = GraphRAG(GraphIndex.open(directory, verify=True))
        for query in asked:
            assert as_bytes(ask(rag, query)) == as_bytes(oracle.ask(query))


def test_hard_labels_give_the_oracles_bytes_in_another_process(root: Path, tmp_path: Path) -> None:
    nodes = [
        {
            "node_id": f"n{place}{label}",
            "node_type": "concept",
            "label": label,
            "properties": {label: [label]},
        }
        for place, label in enumerate(HARD_LABELS)
    ]
    edges = [
        {"source_id": one["node_id"], "target_id": other["node_id"], "edge_type": "maps_to"}
        for one, other in zip(nodes, nodes[2:], strict=False)
    ]
    graph = {"nodes": nodes, "edges": edges}
    texts = [
        *HARD_LABELS,
        *(label.lower() for label in HARD_LABELS),
        *(label.upper() for label in HARD_LABELS),
    ]
    asked = [
        {"text": text, "k": 3, "persona_id": text, "zachman_cell": None, "max_hops": hops}
        for text in texts
        for hops in (0, 2)
    ]
    oracle = Oracle(graph)
    expected = [as_bytes(oracle.ask(query)) for query in asked]
    GraphIndex.from_dict(graph).save(tmp_path / "index")
    (tmp_path / "asked.json").write_text(json.dumps(asked), encoding="ascii")
    code = (
        "import json, sys; sys.path.insert(0, sys.argv[3])\n"
        "from graphrag_pipeline import GraphIndex, GraphRAG\n"
        "from tests.conformance.oracle import as_bytes\n"
        "from tests.conformance.test_stored_index import ask\n"
        "rag = GraphRAG(GraphIndex.open(sys.argv[1]))\n"
        "print(json.dumps([as_bytes(ask(rag, query)) for query in json.load(open(sys.argv[2]))]))\n"
    )
    arguments = [str(tmp_path / "index"), str(tmp_path / "asked.json"), str(root)]
    output = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert json.loads(output.stdout) == expected
