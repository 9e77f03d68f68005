"""Other systems on the same graphs, two hops, in the same run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any

from graphrag_pipeline import GraphIndex
from tests.bench.asking import FOCUSED, Ask, Engine, asks
from tests.bench.building import place
from tests.bench.clock import each
from tests.bench.graphs import Generated

HOPS = 2

NOTES = {
    "oracle": "the same query by fcc-agent-team-ext 2.2.0; makes the whole result, equal to ours byte for "
    "byte, where ours makes the context and the rest when it is read",
    "oracle, whole result": "as above, and all of our result is read as plain data",
    "graph-retriever": "less: no text search, persona, cell, paths or context; more: vector similarity "
    "of every node with the query, here of 8 numbers",
    "graph-retriever, traversal alone": "less: as above, and no search at all, the seeds are given",
    "networkx": "less: the nodes within two hops of given seeds (bfs_layers of an undirected Graph), no more",
    "igraph": "less: no text search, persona, cell, paths or context; more: personalized PageRank "
    "(prpack) scores every node",
}

Peer = Callable[[Generated, list[Ask]], list[Callable[[], object]]]


def against(peer: str, size: int, count: int) -> dict[str, Any]:
    """Measure a peer and ourselves on the same queries."""
    graph, asked = Generated.of(size), asks(size, HOPS, FOCUSED, count)
    calls = PEERS[peer](graph, asked)
    engine = Engine(GraphIndex.open(place(size)))
    for ask in asked:
        engine.run(ask)
    run = engine.whole if peer == "oracle, whole result" else engine.run
    for call in calls[:3]:
        call()
    # A slow peer answers a few queries only; ours repeats them, so that one hiccup does not count.
    theirs, ours = each(calls), each([partial(run, ask) for ask in asked] * 10)
    return {"peer": peer, "nodes": size, "hops": HOPS, "theirs": theirs, "ours": ours, "note": NOTES[peer]}


def _oracle(graph: Generated, asked: list[Ask]) -> list[Callable[[], object]]:
    from tests.conformance.oracle import Oracle, as_bytes

    oracle = Oracle(graph.data(), "noop")
    engine = Engine(GraphIndex.open(place(graph.tag.size)))
    for ask in asked:
        assert as_bytes(engine.whole(ask)) == as_bytes(oracle.ask(ask.oracle())), ask
    return [partial(oracle.ask, ask.oracle()) for ask in asked]


def _retriever(graph: Generated, asked: list[Ask], alone: bool = False) -> list[Callable[[], object]]:
    import numpy as np
    from graph_retriever import Content, traverse
    from graph_retriever.adapters.in_memory import InMemory
    from graph_retriever.edges import Id
    from graph_retriever.strategies import Eager

    size = graph.tag.size
    linked: list[dict[int, None]] = [{} for _ in range(size)]
    for source, target in zip(graph.source.tolist(), graph.target.tolist(), strict=True):
        linked[source][target] = linked[target][source] = None
    vectors = np.random.default_rng(3).random((size, 8)).tolist()
    store: Any = InMemory(
        lambda _text: [1.0] * 8,
        [
            Content(f"n{node}", f"n{node}", vectors[node], {"to": [f"n{other}" for other in linked[node]]})
            for node in range(size)
        ],
    )
    if alone:
        # As it comes, it compares the query with every node even when it is to start from none of them.
        store.search_with_embedding = lambda query, *_args, **_kwargs: (store.embedding(query), [])
    strategy = Eager(select_k=size, start_k=0, adjacent_k=size, max_depth=HOPS)
    return [
        partial(
            traverse,
            ask.text,
            edges=[("to", Id())],
            strategy=strategy,
            store=store,
            initial_root_ids=[f"n{node}" for node in graph.seeds(ask.tag)],
        )
        for ask in asked
    ]


def _networkx(graph: Generated, asked: list[Ask]) -> list[Callable[[], object]]:
    import networkx as nx

    undirected: nx.Graph[int] = nx.Graph()
    undirected.add_nodes_from(range(graph.tag.size))
    undirected.add_edges_from(zip(graph.source.tolist(), graph.target.tolist(), strict=True))

    def within(seeds: list[int]) -> object:
        return list(islice(nx.bfs_layers(undirected, seeds), HOPS + 1))

    return [partial(within, graph.seeds(ask.tag).tolist()) for ask in asked]


def _igraph(graph: Generated, asked: list[Ask]) -> list[Callable[[], object]]:
    import igraph

    undirected = igraph.Graph(
        n=graph.tag.size, edges=zip(graph.source.tolist(), graph.target.tolist(), strict=True)
    )
    undirected.simplify()
    return [
        partial(
            undirected.personalized_pagerank,
            reset_vertices=graph.seeds(ask.tag).tolist(),
            implementation="prpack",
        )
        for ask in asked
    ]


PEERS: dict[str, Peer] = {
    "oracle": _oracle,
    "oracle, whole result": _oracle,
    "graph-retriever": _retriever,
    "graph-retriever, traversal alone": partial(_retriever, alone=True),
    "networkx": _networkx,
    "igraph": _igraph,
}
