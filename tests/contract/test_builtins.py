"""Every built-in component keeps the contract of its kind, by the kit that plugin authors get.

Suites must be classes at the top of a module, as other processes look for them there: a loop makes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.pipeline.making import make
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.stages.bridges.lyra import LyraBridge
from graphrag_pipeline.stages.bridges.mock import LyraMockBridge
from graphrag_pipeline.testing.graphs import office
from graphrag_pipeline.testing.suite import ComponentSuite
from graphrag_pipeline.testing.suites import SUITES
from graphrag_pipeline.testing.texts import ContextAssemblerSuite
from tests.stages.tokens.small import small_tokenizer

HOST = PluginHost.discover(entry_points=False, environ={})
SEEDS = Path(__file__).resolve().parents[1] / "fuzz" / "seeds"
Make = Callable[[ComponentSuite], Any]

VECTORS = {"test_it_can_be_pickled": "its embedder keeps functions of the stemmer; a worker makes its own"}
LATE = {"test_a_longer_text_counts_no_less": "a merge makes one token of several"}
EXCEPTIONS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("seed_retriever", "dense"): {
        "test_it_can_be_pickled": "holds vectors of graphs by weak reference; a worker makes its own"
    },
    ("signal", "dense_similarity"): VECTORS,
    ("embedder", "hashing"): VECTORS,
    ("signal", "recency"): {
        "test_it_can_be_pickled": "holds dates of graphs by weak reference; a worker makes its own"
    },
    ("context_assembler", "bullets"): {
        "test_the_budget_is_kept": "keep_top writes the best node in any case, as the reference does"
    },
    ("token_counter", "tokenizer"): LATE,
    ("token_counter", "tiktoken"): LATE,
}


class _Searcher:
    """A retriever of somebody else: it knows two ids and a text."""

    def search(self, text: str, k: int) -> list[tuple[str, float]]:
        return [("audit", 0.9), ("plan", 0.5)][:k]


class _Live(LyraBridge):
    """LYRA, with the mock as its adapter."""

    adapter = LyraMockBridge()


def _source(name: str, *files: str, **params: Any) -> Make:
    """A source of the files that the fuzzer starts from."""

    def made(suite: ComponentSuite) -> Any:
        for file in files:
            (suite.folder / Path(file).name).write_bytes((SEEDS / file).read_bytes())
        path = suite.folder if len(files) > 1 else suite.folder / Path(files[0]).name
        info = HOST.find("graph_source", name)
        return info.cls(params=info.params.model_validate({"path": str(path), **params}))

    return made


def _index(suite: ComponentSuite) -> Any:
    office().index.save(suite.folder / "index")
    info = HOST.find("graph_source", "index")
    return info.cls(params=info.params.model_validate({"path": str(suite.folder / "index")}))


def _written(kind: str, name: str, file: str, content: str) -> Make:
    def made(suite: ComponentSuite) -> Any:
        (suite.folder / file).write_text(content, encoding="utf-8")
        info = HOST.find(kind, name)
        return info.cls(params=info.params.model_validate({"path": str(suite.folder / file)}))

    return made


def _parquet(suite: ComponentSuite) -> Any:
    from graphrag_pipeline.graph.export.formats import WRITERS

    (writer,) = (writer for writer in WRITERS if writer.name == "parquet")
    writer.write(GraphIndex.from_dict(office().index.to_dict()), suite.folder)
    info = HOST.find("graph_source", "parquet")
    return info.cls(params=info.params.model_validate({"path": str(suite.folder)}))


def _msgraphrag(suite: ComponentSuite) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables: dict[str, dict[str, list[str]]] = {
        "entities": {"id": ["e1", "e2"], "title": ["ADA", "KILN"], "type": ["PERSON", ""]},
        "relationships": {"id": ["r1", "r2"], "source": ["ADA", "KILN"], "target": ["KILN", "GHOST"]},
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), suite.folder / f"{name}.parquet")
    info = HOST.find("graph_source", "msgraphrag")
    return info.cls(params=info.params.model_validate({"path": str(suite.folder)}))


def _tokenizer(suite: ComponentSuite) -> Any:
    info = HOST.find("token_counter", "tokenizer")
    return info.cls(params=info.params.model_validate({"path": str(small_tokenizer(suite.folder))}))


def _networkx(suite: ComponentSuite) -> Any:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edge("a", "b", edge_type="uses")
    return HOST.build("graph_source", "networkx", graph=graph)


PERSONAS = json.dumps({"personas": [{"id": "CLERK-1", "name": "Clerk"}, {"id": "AUD-2", "name": "Auditor"}]})
RULE = {"any": [{"node_type": ["concept"]}, {"not": {"hop": {"max": 1}}}]}
MADE: Mapping[tuple[str, str], Make] = {
    ("seed_retriever", "retriever"): lambda _: HOST.build(
        "seed_retriever", "retriever", retriever=_Searcher()
    ),
    ("filter", "rules"): lambda _: HOST.build(
        "filter", "rules", HOST.find("filter", "rules").params.model_validate({"rule": RULE})
    ),
    ("bridge", "lyra"): lambda _: _Live(),
    ("token_counter", "tokenizer"): _tokenizer,
    ("persona_source", "file"): _written("persona_source", "file", "personas.json", PERSONAS),
    ("graph_source", "archimate"): _source("archimate", "archimate/exchange.xml"),
    ("graph_source", "auto"): _source("auto", "graphml/graph.graphml"),
    ("graph_source", "csv"): _source("csv", "csv/edges.csv"),
    ("graph_source", "cytoscape"): _source("cytoscape", "cytoscape/elements.json"),
    ("graph_source", "gexf"): _source("gexf", "gexf/graph.gexf"),
    ("graph_source", "gml"): _source("gml", "gml/graph.gml"),
    ("graph_source", "graphml"): _source("graphml", "graphml/graph.graphml"),
    ("graph_source", "graphology"): _source("graphology", "graphology/graph.json"),
    ("graph_source", "hipporag"): _source("hipporag", "hipporag/openie_results.json"),
    ("graph_source", "index"): _index,
    ("graph_source", "json"): _written(
        "graph_source", "json", "graph.json", json.dumps(office().index.to_dict())
    ),
    ("graph_source", "lightrag"): _source("lightrag", "lightrag/graph_chunk_entity_relation.graphml"),
    ("graph_source", "llamaindex"): _source("llamaindex", "llamaindex/property_graph_store.json"),
    ("graph_source", "msgraphrag"): _msgraphrag,
    ("graph_source", "nano"): _source("nano", "lightrag/graph_chunk_entity_relation.graphml"),
    ("graph_source", "neo4j"): _source("neo4j", "neo4j/lines.json"),
    ("graph_source", "networkx"): _networkx,
    ("graph_source", "nodelink"): _source("nodelink", "nodelink/graph.json"),
    ("graph_source", "openie"): _source("openie", "openie/passages.jsonl"),
    ("graph_source", "parquet"): _parquet,
    ("graph_source", "rdf"): _source("rdf", "rdf/graph.ttl"),
}
"""How to make what cannot be made from default parameters."""
NEEDS = {
    "tiktoken": "tiktoken",
    "tokenizer": "tokenizers",
    "wordllama": "wordllama",
    "parquet": "pyarrow",
    "msgraphrag": "pyarrow",
    "rdf": "pyoxigraph",
}
"""Packages that a component needs."""


def _suite(kind: str, name: str) -> type[ComponentSuite]:
    ready: Make = MADE.get((kind, name), lambda _: make(HOST, kind, name, HOST.find(kind, name).params()))
    members = {
        "__module__": __name__,
        "__doc__": f"The built-in {kind} {name}.",
        "make": lambda self: ready(self),  # noqa: PLW0108  # a method must be a function
        "exceptions": EXCEPTIONS.get((kind, name), {}),
    }
    return type(f"Test{kind.title().replace('_', '')}_{name}", (SUITES[kind],), members)


def _here(name: str) -> bool:
    return name not in NEEDS or find_spec(NEEDS[name]) is not None


for _kind in KINDS:
    for _name in HOST.components(_kind):
        if _here(_name):
            _made = _suite(_kind, _name)
            globals()[_made.__name__] = _made


class TestBulletsThatKeepTheBudget(ContextAssemblerSuite):
    def make(self) -> Any:
        info = HOST.find("context_assembler", "bullets")
        return info.cls(params=info.params.model_validate({"keep_top": False, "single_line": True}))


def test_every_kind_has_a_suite() -> None:
    assert list(SUITES) == list(KINDS)
    assert all(SUITES[kind].kind == kind for kind in KINDS)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if HOST.components(kind)])
def test_every_built_in_component_has_a_suite(kind: str) -> None:
    missing = [
        name
        for name in HOST.components(kind)
        if _here(name) and f"Test{kind.title().replace('_', '')}_{name}" not in globals()
    ]
    assert missing == []
