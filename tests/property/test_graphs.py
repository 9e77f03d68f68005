"""Random graphs: ours beside the oracle's, and beside naive ways to the same answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from fcc.knowledge.graph import KnowledgeGraph as OracleGraph
from fcc.knowledge.models import EdgeType, NodeType
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline import CELLS, GraphIndex, KnowledgeGraph, KnowledgeNode, Query
from graphrag_pipeline.graph.cells import cell_code
from graphrag_pipeline.model.zachman import Interrogative, Perspective, read_cell
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.expand.bfs import BreadthFirst

NODE_TYPES = [kind.value for kind in NodeType]
EDGE_TYPES = [kind.value for kind in EdgeType]
IDS = [*"abcdefgh", "", "Ü", "a b"]

ids = st.sampled_from(IDS)
texts = st.sampled_from(["", "Risk", "RISK-2", "ΣΑΣ", "İx", "ß", "\x00", "a\nb", "🚀"]) | st.text(max_size=3)
properties = st.dictionaries(
    st.sampled_from(["k", "Owner", "zachman_cell"]),
    texts | st.integers() | st.lists(texts, max_size=2),
    max_size=2,
)
nodes = st.fixed_dictionaries(
    {"node_id": ids, "node_type": st.sampled_from(NODE_TYPES[:4]), "label": texts, "properties": properties}
)
edges = st.fixed_dictionaries(
    {
        "source_id": ids | st.just("ghost"),
        "target_id": ids | st.just("ghost"),
        "edge_type": st.sampled_from(EDGE_TYPES[:3]),
    },
    optional={"weight": st.floats(0, 2) | st.integers(0, 2)},
)
graphs = st.fixed_dictionaries({"nodes": st.lists(nodes, max_size=10), "edges": st.lists(edges, max_size=24)})
MANY = settings(max_examples=150)


def both(data: dict[str, Any]) -> tuple[KnowledgeGraph, Any]:
    return KnowledgeGraph.from_dict(data), OracleGraph.from_dict(data)


@MANY
@given(graphs)
def test_records_counts_and_dicts_are_the_oracles(data):
    ours, oracle = both(data)
    assert ours.to_dict() == oracle.to_dict()
    assert (ours.node_count, ours.edge_count) == (oracle.node_count, oracle.edge_count)
    told = {name: count for name, count in oracle.stats().items() if count or name.endswith("_count")}
    extra = ("dangling_edges", "self_loops")
    assert {name: count for name, count in ours.stats().items() if name not in extra} == told


@MANY
@given(graphs)
def test_neighbours_and_records_by_type_are_the_oracles(data):
    ours, oracle = both(data)
    for node_id in [*IDS, "ghost", "nobody"]:
        expected = [neighbour.node_id for neighbour in oracle.neighbors(node_id)]
        assert [neighbour.node_id for neighbour in ours.neighbors(node_id)] == expected
        assert (node_id in ours) == (oracle.get_node(node_id) is not None)
    for kind in NODE_TYPES[:4]:
        expected = [entry.to_dict() for entry in oracle.nodes_by_type(NodeType(kind))]
        assert [entry.to_dict() for entry in ours.nodes_by_type(kind)] == expected
    for kind in EDGE_TYPES[:3]:
        expected = [entry.to_dict() for entry in oracle.edges_by_type(EdgeType(kind))]
        assert [entry.to_dict() for entry in ours.edges_by_type(kind)] == expected


@MANY
@given(graphs, graphs)
def test_a_merged_graph_is_the_oracles(one, two):
    (ours, oracle), (our_other, oracle_other) = both(one), both(two)
    assert ours.merge(our_other).to_dict() == oracle.merge(oracle_other).to_dict()


@MANY
@given(graphs, st.sets(ids | st.just("ghost")))
def test_a_subgraph_is_the_oracles_in_graph_order(data, wanted):
    ours, oracle = both(data)
    part, expected = ours.subgraph(wanted).to_dict(), oracle.subgraph(wanted).to_dict()
    assert part["edges"] == expected["edges"]
    assert part["nodes"] == [entry for entry in ours.to_dict()["nodes"] if entry in expected["nodes"]]
    assert len(part["nodes"]) == len(expected["nodes"])


@MANY
@given(st.permutations(range(12)), graphs)
def test_nodes_and_edges_added_in_any_mixture_keep_the_oracles_order(turns, data):
    """Nodes may come after edges that named them, and be replaced at any time."""
    from fcc.knowledge.models import KnowledgeEdge as OracleEdge
    from fcc.knowledge.models import KnowledgeNode as OracleNode

    from graphrag_pipeline import KnowledgeEdge

    ours, oracle = KnowledgeGraph(), OracleGraph()
    parts = [*data["nodes"], *data["edges"]]
    for turn in [*turns, *range(12, len(parts))]:
        if turn >= len(parts):
            continue
        part = parts[turn]
        if "node_id" in part:
            ours.add_node(KnowledgeNode.from_dict(part))
            oracle.add_node(OracleNode.from_dict(part))
        else:
            ours.add_edge(KnowledgeEdge.from_dict(part))
            oracle.add_edge(OracleEdge.from_dict(part))
    assert ours.to_dict() == oracle.to_dict()
    for node_id in IDS:
        expected = [neighbour.node_id for neighbour in oracle.neighbors(node_id)]
        assert [neighbour.node_id for neighbour in ours.neighbors(node_id)] == expected


@MANY
@given(graphs)
def test_a_graph_survives_networkx(data):
    graph = KnowledgeGraph.from_dict(data)
    assert KnowledgeGraph.from_networkx(graph.to_networkx()).to_dict() == graph.to_dict()


@MANY
@given(graphs)
def test_adjacency_is_what_a_scan_over_all_edges_finds(data):
    index = GraphIndex.from_graph(KnowledgeGraph.from_dict(data))
    for position, node_id in enumerate(index.ids):
        seen: dict[int, int] = {}
        for number, edge in enumerate(index.all_edges()):
            for here, there in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
                other = index.position(there)
                if here == node_id and other is not None and other != position:
                    seen.setdefault(other, number)
        neighbours, over = index.adjacency.around(position)
        assert list(zip(neighbours.tolist(), over.tolist(), strict=True)) == list(seen.items())
    lost = [
        edge
        for edge in index.all_edges()
        if None in (index.position(edge.source_id), index.position(edge.target_id))
    ]
    assert index.dangling_edges == len(lost)


@MANY
@given(graphs, st.lists(ids, max_size=3, unique=True), st.integers(-1, 5))
def test_breadth_first_is_what_a_queue_over_all_edges_finds(data, starts, hops):
    index = GraphIndex.from_graph(KnowledgeGraph.from_dict(data))
    seeds = [place for place in map(index.position, starts) if place is not None]
    visited: dict[int, tuple[int, int, int]] = dict.fromkeys(seeds, (-1, -1, 0))
    queue = list(seeds)
    while queue:
        here = queue.pop(0)
        hop = visited[here][2]
        for number, edge in enumerate(index.all_edges()) if hop < hops else ():
            ends = (index.position(edge.source_id), index.position(edge.target_id))
            if here in ends and None not in ends and ends[0] != ends[1]:
                there = ends[0] if ends[1] == here else ends[1]
                assert there is not None
                if there not in visited:
                    visited[there] = (here, number, hop + 1)
                    queue.append(there)
    found = BreadthFirst().expand(
        Candidates.seeds(np.array(seeds, dtype=np.int64)), Query("x", max_hops=hops), index
    )
    rows = zip(
        found.node.tolist(), found.parent.tolist(), found.edge.tolist(), found.hop.tolist(), strict=True
    )
    assert [(node, parent, edge, hop) for node, parent, edge, hop in rows] == [
        (node, *rest) for node, rest in visited.items()
    ]
    for path, node, hop in zip(found.paths(index), found.node, found.hop, strict=True):
        assert path[-1] == index.ids[node]
        assert len(path) == hop + 1


@MANY
@given(graphs, texts)
def test_names_and_mentions_are_what_a_plain_search_finds(data, text):
    index = GraphIndex.from_graph(KnowledgeGraph.from_dict(data))
    needle = text.lower()
    named = [needle in node.label.lower() or needle in node.node_id.lower() for node in index.all_nodes()]
    mentions = [
        name or any(needle in str(part).lower() for pair in node.properties.items() for part in pair)
        for name, node in zip(named, index.all_nodes(), strict=True)
    ]
    assert index.named(needle).tolist() == named
    assert index.mentioning(needle, np.arange(index.node_count)).tolist() == mentions


@given(st.lists(st.sampled_from([*CELLS, *(cell.coordinate for cell in CELLS), *Perspective, None, 7, "x"])))
def test_cell_codes_are_what_reading_one_by_one_finds(values):
    for value in values:
        row, column = cell_code(value)
        cell = read_cell(value)
        if cell is None:
            assert (row, column) == ((-1, -1) if value is None else (-2, -1))
        else:
            assert list(Perspective)[row] is cell[0]
            assert (None if column < 0 else list(Interrogative)[column]) is cell[1]


@MANY
@given(graphs, graphs)
def test_digests_are_equal_exactly_when_the_records_are(one, two):
    first, second = (GraphIndex.from_graph(KnowledgeGraph.from_dict(data)) for data in (one, two))
    again = GraphIndex.from_graph(KnowledgeGraph.from_dict(one))
    assert first.digest == again.digest
    same = repr([*first.all_nodes(), *first.all_edges()]) == repr([*second.all_nodes(), *second.all_edges()])
    assert (first.digest == second.digest) == same
