"""Random graphs, queries and bridges: ours against the oracle, live."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphrag_pipeline import CELLS
from tests.conformance.oracle import EDGE_TYPES, NODE_TYPES, Oracle, Ours, as_bytes
from tests.tiny import Answering

IDS = [*(f"n{number}" for number in range(9)), "", "N1", "ü-1", "persona", "数据", "a b"]
WORDS = [
    "risk",
    "RISK-42",
    "persona",
    "Ünïcode",
    "ΣΊΣΥΦΟΣ",
    "İstanbul",
    "straße",
    "ﬁn",
    "🚀",
    "e\u0301",
    "\x00",
    "\t",
    "",
]

ids = st.sampled_from(IDS)
texts = st.lists(st.sampled_from([*WORDS, " "]), max_size=4).map("".join) | st.text(max_size=6)
coordinates = st.sampled_from([cell.coordinate for cell in CELLS])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
odd_cells = st.one_of(
    coordinates,
    st.sampled_from(
        [
            "architect",
            "Architect",
            "architect:",
            "architect:whom",
            "architect:how:x",
            ":",
            ":how",
            "nobody:how",
        ]
    ),
    scalars,
    st.lists(scalars, max_size=2),
    st.dictionaries(
        st.sampled_from(["perspective", "interrogative", "description", "x"]),
        st.sampled_from(["architect", "engineer", "how", "why", "nobody"])
        | scalars
        | st.lists(scalars, max_size=1),
    ),
)
properties = st.fixed_dictionaries(
    {},
    optional={
        "zachman_cell": odd_cells,
        "persona_id": scalars,
        "note": texts,
        "tags": st.lists(texts, max_size=2),
    },
)
nodes = st.fixed_dictionaries(
    {"node_id": ids, "node_type": st.sampled_from(NODE_TYPES), "label": texts},
    optional={"namespace": texts, "uri": texts | st.none(), "properties": properties, "unknown": scalars},
)
edges = st.fixed_dictionaries(
    {
        "source_id": ids | st.just("ghost"),
        "target_id": ids | st.just("ghost"),
        "edge_type": st.sampled_from(EDGE_TYPES),
    },
    optional={
        "namespace": texts,
        "weight": st.integers() | st.floats(allow_nan=False, allow_infinity=False),
        "properties": properties,
    },
)
graphs = st.fixed_dictionaries({"nodes": st.lists(nodes, max_size=14), "edges": st.lists(edges, max_size=30)})
queries = st.fixed_dictionaries(
    {
        "text": texts,
        "k": st.integers(-1, 20),
        "persona_id": st.none() | texts,
        "zachman_cell": st.none() | coordinates,
        "max_hops": st.integers(-1, 5),
    }
)


def broken(entries: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Entries with a required key missing or, where the type list is closed, an unknown type."""
    return st.builds(
        lambda entry, key: {k: v for k, v in entry.items() if k != key},
        entries,
        st.sampled_from(["node_id", "node_type", "label", "source_id", "edge_type"]),
    )


answers = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "nodes": st.lists(nodes | broken(nodes), max_size=6),
            "edges": st.lists(edges | broken(edges), max_size=6),
            "paths": st.lists(st.lists(ids | st.integers(), max_size=4) | st.none() | texts, max_size=4),
            "other": scalars,
        },
    ),
    st.none(),
    st.integers(),
    st.lists(scalars, max_size=2),
    texts,
)


SETTINGS = settings(
    max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def same(
    graph: Mapping[str, Any], bridge: str | object, bridge_graph: Any, asked: list[dict[str, Any]]
) -> None:
    oracle, ours = Oracle(dict(graph), bridge, bridge_graph), Ours(dict(graph), bridge, bridge_graph)
    for query in asked:
        assert as_bytes(ours.ask(query)) == as_bytes(oracle.ask(query))


@SETTINGS
@given(
    graph=graphs, bridge=st.sampled_from(["default", "noop"]), asked=st.lists(queries, min_size=1, max_size=4)
)
def test_any_graph_and_query_give_the_oracles_bytes(
    graph: dict[str, Any], bridge: str, asked: list[dict[str, Any]]
) -> None:
    same(graph, bridge, None, asked)


@SETTINGS
@given(graph=graphs, bridge_graph=graphs, asked=st.lists(queries, min_size=1, max_size=4))
def test_a_mock_bridge_over_any_graph_gives_the_oracles_bytes(
    graph: dict[str, Any], bridge_graph: dict[str, Any], asked: list[dict[str, Any]]
) -> None:
    same(graph, "mock", bridge_graph, asked)


@SETTINGS
@given(
    graph=graphs,
    answer=answers | st.just(RuntimeError("down")),
    asked=st.lists(queries, min_size=1, max_size=3),
)
def test_any_bridge_answer_gives_the_oracles_bytes(
    graph: dict[str, Any], answer: object, asked: list[dict[str, Any]]
) -> None:
    same(graph, Answering(answer), None, asked)


@SETTINGS
@given(
    bridge_graph=graphs, text=texts, depth=st.integers(-2, 5), namespace=st.sampled_from(["", "fcc", "äö"])
)
def test_the_mock_answers_all_three_calls_as_the_oracles_does(
    bridge_graph: dict[str, Any], text: str, depth: int, namespace: str
) -> None:
    from fcc.knowledge.graph import KnowledgeGraph as OracleGraph
    from fcc.plugins.v1_5_preview.lyra_bridge import LyraMockBridge as OracleMock

    from graphrag_pipeline import KnowledgeGraph, LyraMockBridge

    oracle, ours = (
        OracleMock(OracleGraph.from_dict(bridge_graph)),
        LyraMockBridge(KnowledgeGraph.from_dict(bridge_graph)),
    )
    assert as_bytes(ours.graph_of_thought_query(text, depth)) == as_bytes(
        oracle.graph_of_thought_query(text, depth)
    )
    assert ours.vocab_lookup(text, namespace) == oracle.vocab_lookup(text, namespace)
    assert ours.harmonic_expand(text) == oracle.harmonic_expand(text)
