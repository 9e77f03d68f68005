"""The same question gives the same bytes: in any process, and whatever order bears no meaning."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from graphrag_pipeline import LyraMockBridge, Persona, PersonaRegistry, Query, ZachmanCell, load_pipeline
from graphrag_pipeline.graph.knowledge import KnowledgeGraph
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
from tests.tiny import pipeline_of

ASKING = """
import json, sys
from graphrag_pipeline import GraphRAG, LyraMockBridge, ZachmanCell
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
rag = GraphRAG(DemoGraph().load().graph, lyra_bridge=LyraMockBridge())
for text in ("persona", "which score does a node get?", "zachman", ""):
    for persona in (None, "FCON-001"):
        for cell in (None, ZachmanCell.from_coordinate("architect:why")):
            trace = rag.trace(text, 5, persona, cell, 2)
            told = trace.to_dict()
            for part in (told, *told["slots"]):
                del part["seconds"]
            print(json.dumps([trace.result.to_dict(), told]))
from graphrag_pipeline import load_pipeline
for choice in ("context=passages", "context=sections +rerank=mmr expand=ppr", "score=rrf context=paths"):
    pipeline = load_pipeline(["pipeline=hybrid", "index.cache_dir=null", *choice.split()])
    for text in ("who audits a run?", "weights of the Score stage", ""):
        print(json.dumps(pipeline.run(text).to_dict()))
"""


def test_results_and_traces_are_the_same_bytes_in_every_process(root):
    def ask(seed: str) -> bytes:
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", ASKING], cwd=root, env=environ, capture_output=True, check=True
        )
        return done.stdout

    first = ask("0")
    assert first.count(b"\n") == 16 + 9
    assert ask("1") == ask("random") == first


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same JSON data with the keys of every object in another order, and further keys in records."""
    if isinstance(value, list):
        return [shuffled(entry, rng) for entry in value]
    if not isinstance(value, dict):
        return value
    pairs = [(key, shuffled(entry, rng)) for key, entry in value.items()]
    if "label" in value or "edge_type" in value:
        pairs += [("zzz_unknown", 1), ("aaa_unknown", [2])]
    rng.shuffle(pairs)
    return dict(pairs)


QUERIES = [
    Query("persona"),
    Query("score weights", 3, "FCON-001", None, 2),
    Query("who?", 7, "auditor", ZachmanCell.from_coordinate("architect:how"), 3),
]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_keys_in_a_graph_file_is_no_matter(seed):
    demo = DemoGraph().load().graph
    data = {
        "nodes": [entry.to_dict() for entry in demo.all_nodes()],
        "edges": [entry.to_dict() for entry in demo.all_edges()],
    }
    other = shuffled(json.loads(json.dumps(data)), random.Random(seed))
    assert json.dumps(other) != json.dumps(data)
    plain, mixed = (
        pipeline_of(KnowledgeGraph.from_dict(graph), given={"bridge": LyraMockBridge()})
        for graph in (data, other)
    )
    for query in QUERIES:
        expected, found = plain.run(query).to_dict(), mixed.run(query).to_dict()
        assert json.dumps(found["scored"]) == json.dumps(expected["scored"])
        assert found["context_text"] == expected["context_text"]
        assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_the_order_of_personas_is_no_matter():
    people = [Persona(f"P-{number}", f"name {number}") for number in range(9)]
    graph = DemoGraph().load().graph
    forth, back = (
        pipeline_of(graph, personas=PersonaRegistry(order), anchors=("name", "id"))
        for order in (people, people[::-1])
    )
    assert forth.run(Query("persona", persona="P-3")) == back.run(Query("persona", persona="P-3"))


OVERRIDES = [
    "query.k=3",
    "bridge=mock",
    "score.weights.label_match=0.3",
    "score.weights.baseline=0.2",
    "score.weights.persona_match=0.1",
    "query.persona=FCON-001",
    "context.max_tokens=100",
    "filter.match=cell",
]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_overrides_is_no_matter(seed):
    mixed = random.Random(seed).sample(OVERRIDES, len(OVERRIDES))
    expected = load_pipeline(OVERRIDES).run("persona audit").to_dict()
    assert json.dumps(load_pipeline(mixed).run("persona audit").to_dict()) == json.dumps(expected)


def test_a_pipeline_does_not_learn_from_earlier_queries():
    graph = DemoGraph().load().graph
    used = pipeline_of(graph, given={"bridge": LyraMockBridge()})
    for query in QUERIES * 2:
        used.run(query)
    for query in QUERIES:
        fresh = pipeline_of(graph, given={"bridge": LyraMockBridge()})
        assert json.dumps(used.run(query).to_dict()) == json.dumps(fresh.run(query).to_dict())
