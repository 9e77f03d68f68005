"""docs/reference-pipeline.md: what it names exists, and what it says of the oracle is so."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fcc.knowledge.models import KnowledgeNode as OracleNode
from fcc.rag.graphrag import GraphRAGResult as OracleResult
from fcc.rag.graphrag import assemble_context
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import (
    AutoBridge,
    GraphRAG,
    GraphRAGError,
    GraphSourceError,
    KnowledgeGraph,
    KnowledgeNode,
    NoOpLyraBridge,
    Query,
    QueryResult,
    load_pipeline,
)
from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.steps.bridge import BridgeStep
from graphrag_pipeline.pipeline.trace import BridgeReport
from graphrag_pipeline.plugin.host import PluginHost
from tests.conformance.oracle import Oracle, Ours, as_bytes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference-pipeline.md").read_text("utf-8")
NAMED = re.compile(r"`((?:graphrag_pipeline|tests|conf|docs)/[\w./-]*)(?:::([\w.]+))?`")
SHORT = re.compile(r"`((?:stages|graph|model|pipeline|config|cli|plugin)/[\w./]+\.py)(?:::([\w.]+))?`")

DIAGRAM = re.compile(r"(?<![\w/])(?:stages|graph|model|pipeline|config|cli|plugin)/[\w/]+\.py")


def names_in(path: Path) -> set[str]:
    """Every function and class of a module, methods as ``Class.method``."""
    found: set[str] = set()
    for item in ast.parse(path.read_text("utf-8")).body:
        if isinstance(item, ast.FunctionDef | ast.ClassDef):
            found.add(item.name)
        if isinstance(item, ast.ClassDef):
            found |= {f"{item.name}.{each.name}" for each in item.body if isinstance(each, ast.FunctionDef)}
        if isinstance(item, ast.Assign | ast.AnnAssign):
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
NAMES = sorted(
    {(path, name) for page in (PAGE, ARCHITECTURE) for path, name in NAMED.findall(page)}
    | {
        (f"graphrag_pipeline/{path}", name)
        for page in (PAGE, ARCHITECTURE)
        for path, name in SHORT.findall(page)
    }
    | {(f"graphrag_pipeline/{path}", "") for path in DIAGRAM.findall(ARCHITECTURE)}
)


@pytest.mark.parametrize(("path", "name"), NAMES, ids=[f"{path}::{name}" for path, name in NAMES])
def test_what_the_page_names_exists(path: str, name: str) -> None:
    assert (ROOT / path).exists()
    if name:
        assert name in names_in(ROOT / path)


def test_the_page_names_the_tests_and_the_code() -> None:
    assert sum(path.startswith("tests/") for path, _ in NAMES) >= 10
    assert sum(path.startswith("graphrag_pipeline/") for path, _ in NAMES) >= 20


def test_the_yaml_and_the_facade_give_one_pipeline() -> None:
    assert load_settings(host=HOST).pipeline == reference_spec()


# -- what the tests below use ---------------------------------------------------------------------

HOST = PluginHost.discover(entry_points=False, environ={})
QUERY = {"text": "x", "k": 5, "persona_id": None, "zachman_cell": None, "max_hops": 2}
EDGE = {"source_id": "a", "target_id": "b", "edge_type": "depends_on"}


def graph(node: dict[str, Any] | None = None, edge: dict[str, Any] | None = None) -> dict[str, Any]:
    first = {"node_id": "a", "node_type": "persona", "label": "x", **(node or {})}
    second = {"node_id": "b", "node_type": "persona", "label": "b"}
    return {"nodes": [first, second], "edges": [{**EDGE, **(edge or {})}]}


class Fixed:
    """A bridge that always gives the same answer, or raises it, after a while."""

    def __init__(self, answer: object, seconds: float = 0.0) -> None:
        self.answer = answer
        self.seconds = seconds
        self.asked: list[tuple[str, int]] = []

    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        self.asked.append((query, depth))
        time.sleep(self.seconds)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        return []

    def harmonic_expand(self, concept: str) -> list[str]:
        return []


class Hits:
    """A retriever that always finds the same, or raises."""

    def __init__(self, found: Sequence[object], error: Exception | None = None) -> None:
        self.found = found
        self.error = error

    def retrieve(self, text: str, k: int) -> Sequence[object]:
        if self.error is not None:
            raise self.error
        return self.found


# -- steps that random graphs do not reach --------------------------------------------------------


def test_an_empty_graph_calls_no_stage_and_no_bridge() -> None:
    bridge = Fixed(RuntimeError("called"))
    empty = GraphRAG(KnowledgeGraph(), retriever=Hits([], RuntimeError("called")), lyra_bridge=bridge)
    trace = empty.trace("x")
    assert trace.result == QueryResult()
    assert (trace.slots, trace.warnings, bridge.asked) == ((), ("the graph is empty",), [])


LABELS = {"a": "x", "b": "beta", "c": "x beta", "d": "delta"}
hits = st.lists(
    st.tuples(
        st.sampled_from([*LABELS, "nowhere", ""]), st.sampled_from(["x", "beta delta", "none", "", " B "])
    ),
    max_size=5,
)


@given(
    found=hits, text=st.sampled_from(["x", "delta", "zzz", " "]), k=st.integers(-1, 4), fails=st.booleans()
)
def test_seeds_from_a_retriever_are_the_oracles(
    found: list[tuple[str, str]], text: str, k: int, fails: bool
) -> None:
    records = [
        {"node_id": node_id, "node_type": "concept", "label": label} for node_id, label in LABELS.items()
    ]
    chunks = [SimpleNamespace(chunk=SimpleNamespace(chunk_id=id_, text=words)) for id_, words in found]
    retriever: Any = Hits(chunks, RuntimeError("down") if fails else None)
    oracle = Oracle({"nodes": records}, "noop")
    oracle.rag._retriever = retriever
    ours = GraphRAG(KnowledgeGraph.from_dict({"nodes": records}), retriever, NoOpLyraBridge())
    expected = oracle.ask(QUERY | {"text": text, "k": k})
    assert as_bytes(ours.query(text, k=k, max_hops=2).to_dict()) == as_bytes(expected)


def test_the_bridge_is_resolved_at_the_first_query() -> None:
    rag = GraphRAG(KnowledgeGraph.from_dict(graph()))
    (step,) = (step for step in rag.pipeline.plan.steps if step.place.slot == "bridge")
    assert isinstance(step, BridgeStep)
    assert isinstance(step.caller.bridge, AutoBridge)
    assert "_choice" not in vars(step.caller.bridge)
    assert rag.trace("x").bridge == BridgeReport("mock", note=step.caller.bridge.why)


def test_match_cell_keeps_the_exact_cell_only() -> None:
    cells = {"a": "architect:who", "b": "architect:how", "c": "architect", "d": "engineer:who"}
    records = [
        {"node_id": id_, "node_type": "concept", "label": "x", "properties": {"zachman_cell": cell}}
        for id_, cell in cells.items()
    ]
    small = KnowledgeGraph.from_dict({"nodes": records})
    asked = ["bridge=noop", "query.cell=architect:who"]
    row = load_pipeline(asked, graph=small).run("x")
    cell = load_pipeline([*asked, "filter.match=cell"], graph=small).run("x")
    assert [node.node_id for node in row.nodes] == ["a", "b", "c"]
    assert [node.node_id for node in cell.nodes] == ["a"]


@pytest.mark.parametrize(("max_hops", "depth"), [(2, 2), (-1, 0)])
def test_the_bridge_is_asked_once_with_the_text_and_the_hops(max_hops: int, depth: int) -> None:
    bridge = Fixed({})
    GraphRAG(KnowledgeGraph.from_dict(graph()), lyra_bridge=bridge).query(" X ", max_hops=max_hops)
    assert bridge.asked == [(" X ", depth)]


@cache
def within(max_tokens: int) -> Settings:
    """The configuration without a bridge and with this budget; composing it takes longer than a query."""
    return load_settings([f"context.max_tokens={max_tokens}", "bridge=noop"], host=HOST)


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=30), st.integers(1, 120))
def test_the_context_is_the_oracles_for_any_budget(labels: list[str], max_tokens: int) -> None:
    records = [
        {"node_id": f"n{number}", "node_type": "concept", "label": label}
        for number, label in enumerate(labels)
    ]
    settings = within(max_tokens)
    pipeline = build_pipeline(settings, HOST, graph=KnowledgeGraph.from_dict({"nodes": records}))
    result = pipeline.run(Query("n", k=len(labels)))
    assert len(result.nodes) == len(labels)
    assert result.context_text == assemble_context(OracleResult.from_dict(result.to_dict()), max_tokens)


def test_a_line_break_in_a_label_is_kept_unless_asked_otherwise() -> None:
    records = {"nodes": [{"node_id": "x", "node_type": "concept", "label": "one\ntwo x"}]}
    kept = load_pipeline(["bridge=noop"], graph=KnowledgeGraph.from_dict(records), host=HOST).run("x")
    assert kept.context_text == assemble_context(OracleResult.from_dict(kept.to_dict()), 2000)
    assert "one\ntwo x (" in kept.context_text
    single = ["bridge=noop", "context.single_line=true"]
    flat = load_pipeline(single, graph=KnowledgeGraph.from_dict(records), host=HOST).run("x")
    assert "one two x (" in flat.context_text


# -- differences ---------------------------------------------------------------------------------


def test_types_that_the_oracle_does_not_know_are_kept() -> None:
    with pytest.raises(ValueError, match="gadget"):
        Oracle(graph({"node_type": "gadget"}), "noop")
    assert Ours(graph({"node_type": "gadget"}), "noop").ask(QUERY)["nodes"][0]["node_type"] == "gadget"
    answer = {
        "nodes": [{"node_id": "z", "node_type": "gadget", "label": "z"}],
        "edges": [{"source_id": "a", "target_id": "z", "edge_type": "powers"}],
    }
    assert ["z", 0.25] not in Oracle(graph(), Fixed(answer)).ask(QUERY)["scored"]
    ours = Ours(graph(), Fixed(answer)).ask(QUERY)
    assert ["z", 0.25] in ours["scored"]
    assert ours["edges"][-1]["edge_type"] == "powers"


@pytest.mark.parametrize(
    "broken",
    [
        {"node": {"node_id": 7}},
        {"node": {"namespace": 7}},
        {"node": {"uri": 7}},
        {"node": {"properties": []}},
        {"node": {"properties": [["key", "value"]]}},
        {"edge": {"weight": "2"}},
        {"edge": {"weight": None}},
        {"edge": {"weight": True}},
    ],
    ids=str,
)
def test_values_of_the_wrong_type_that_the_oracle_answers_with_are_refused(broken: dict[str, Any]) -> None:
    assert Oracle(graph(**broken), "noop").ask(QUERY)["nodes"]
    with pytest.raises(GraphSourceError, match="must hold"):
        Ours(graph(**broken), "noop")


@pytest.mark.parametrize("label", [7, None])
def test_a_label_that_is_no_text_is_loaded_by_the_oracle_and_then_stops_its_queries(label: object) -> None:
    oracle = Oracle(graph({"label": label}), "noop")
    with pytest.raises(AttributeError):
        oracle.ask(QUERY)
    with pytest.raises(GraphSourceError, match="'label' must hold text"):
        Ours(graph({"label": label}), "noop")


@pytest.mark.parametrize("nodes", [{}, ""], ids=str)
def test_a_graph_without_a_list_of_nodes_is_empty_to_the_oracle_and_refused_here(nodes: object) -> None:
    assert Oracle({"nodes": nodes, "edges": []}, "noop").ask(QUERY)["nodes"] == []
    with pytest.raises(GraphSourceError, match="'nodes' must hold a list"):
        Ours({"nodes": nodes, "edges": []}, "noop")


@pytest.mark.parametrize(
    "answer",
    [
        {"nodes": ["text"]},
        {"edges": [3]},
        {"nodes": None},
        {"nodes": "text"},
        {"nodes": [{"node_id": "z", "node_type": "persona", "label": "z", "properties": None}]},
        {"nodes": [{"node_id": ["z"], "node_type": "persona", "label": "z"}]},
    ],
    ids=str,
)
def test_parts_of_an_answer_that_make_the_oracle_raise_are_skipped(answer: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Oracle(graph(), Fixed(answer)).ask(QUERY)
    good = {"nodes": [], "edges": [], "paths": [["a", "b"]]}
    assert Ours(graph(), Fixed(good | answer)).ask(QUERY) == Ours(graph(), Fixed(good)).ask(QUERY)


def test_an_answers_value_of_the_wrong_type_reaches_the_oracles_result_and_is_skipped_here() -> None:
    answer = {"nodes": [{"node_id": "z", "node_type": "persona", "label": 3}]}
    assert Oracle(graph(), Fixed(answer)).ask(QUERY)["nodes"][-1]["label"] == 3
    assert len(Ours(graph(), Fixed(answer)).ask(QUERY)["nodes"]) == 2


def test_hits_without_a_chunk_stop_the_oracle_and_are_read_here() -> None:
    oracle = Oracle(graph(), "noop")
    retriever: Any = Hits([("b", 0.9)])
    oracle.rag._retriever = retriever
    with pytest.raises(AttributeError):
        oracle.ask(QUERY)
    ours = GraphRAG(KnowledgeGraph.from_dict(graph()), retriever=retriever)
    assert ours.query("x").paths[0] == ("b",)


def test_a_bridges_copy_of_a_node_is_judged_and_the_graphs_record_returned_as_in_the_oracle() -> None:
    kept = graph({"properties": {"zachman_cell": "engineer:how"}})
    copy = {**kept["nodes"][0], "label": "a copy", "properties": {"zachman_cell": "architect:who"}}
    asked = QUERY | {"zachman_cell": "architect:who"}
    ours = Ours(kept, Fixed({"nodes": [copy]})).ask(asked)
    assert as_bytes(ours) == as_bytes(Oracle(kept, Fixed({"nodes": [copy]})).ask(asked))
    assert [node["label"] for node in ours["nodes"]] == ["x"]
    assert ours["scored"] == [["a", 0.25]]


def test_a_bridge_that_exits_ends_the_oracles_query_and_not_ours() -> None:
    with pytest.raises(SystemExit):
        Oracle(graph(), Fixed(SystemExit(3))).ask(QUERY)
    assert Ours(graph(), Fixed(SystemExit(3))).ask(QUERY) == Ours(graph(), "noop").ask(QUERY)


def test_a_bridge_has_a_time_limit() -> None:
    slow = Fixed({"nodes": [{"node_id": "z", "node_type": "persona", "label": "z"}]}, seconds=0.5)
    assert ["z", 0.25] in Oracle(graph(), slow).ask(QUERY)["scored"]
    ours = load_pipeline(
        ["bridge.timeout_s=0.05"], graph=KnowledgeGraph.from_dict(graph()), stages={"bridge": slow}
    )
    trace = ours.trace("x")
    assert trace.bridge is not None
    assert (trace.bridge.mode, len(trace.result.nodes)) == ("failed", 2)


def test_a_node_added_later_reaches_the_oracle_and_not_ours() -> None:
    oracle, edited = Oracle(graph(), "noop"), KnowledgeGraph.from_dict(graph())
    ours = GraphRAG(edited, lyra_bridge=NoOpLyraBridge())
    late = {"node_id": "x2", "node_type": "persona", "label": "x2"}
    oracle.rag.graph.add_node(OracleNode.from_dict(late))
    edited.add_node(KnowledgeNode.from_dict(late))
    assert len(oracle.ask(QUERY)["nodes"]) == 3
    assert len(ours.query("x").nodes) == 2


def test_every_refusal_is_an_error_of_ours() -> None:
    assert issubclass(GraphSourceError, GraphRAGError)
