"""Sample graphs: small ones with known answers, odd ones, and one of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.model.zachman import ZachmanCell

ODD_TEXTS = (
    "Größe",
    "北条の港",
    "🧑‍🔬 lab",
    "e\u0301clair",
    "\u202eright to left",
    "two\nlines\ttab",
    "İstanbul",
    "a\x00b",
    "lone \ud800",
    "((*[",
    "",
    " ",
)
"""Labels that real graphs have: letters of many scripts, line breaks, an unpaired surrogate, nothing."""
LONG = 20_000
"""Characters of a text that is longer than anybody expects."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is right for one query of a sample graph, under the reference's rules.

    Args:
        query: The query.
        seeds: Ids that label matching starts from, in order.
        reached: Ids that breadth-first expansion visits within ``query.hops``, in visit order.
        kept: Those of ``reached`` that the cell filter keeps.
        scores: The reference's score of each id in ``kept``.
    """

    query: Query
    seeds: tuple[str, ...]
    reached: tuple[str, ...]
    kept: tuple[str, ...]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SampleGraph:
    """A graph and what is known of it."""

    name: str
    index: GraphIndex
    answers: tuple[Answer, ...] = ()


def office() -> SampleGraph:
    """Return six nodes in a row but for one that stands alone; with cells, dates, texts and a persona.

    Two edges join one pair of nodes, one runs from a node to itself, and one to an id that is no node.
    """
    nodes = (
        _node(
            "risk", "Risk register", "concept", "architect:what", text="What may go wrong.", date="2024-03"
        ),
        _node("audit", "Audit trail", "concept", "architect:when", text="Who did what, and when."),
        _node("plan", "Audit plan", "process", "engineer:how", owner="CLERK-1", date="2023-11-02"),
        _node("ledger", "Ledger", "entity", text="The audit reads the ledger. It names every payment."),
        _node("CLERK-1", "Clerk", "persona", "architect:who"),
        _node("island", "Island", "entity", "owner:where"),
    )
    edges = (
        KnowledgeEdge("risk", "audit", "uses"),
        KnowledgeEdge("audit", "plan", "needs", weight=2.0),
        KnowledgeEdge("plan", "ledger", "reads"),
        KnowledgeEdge("CLERK-1", "plan", "owns"),
        KnowledgeEdge("risk", "audit", "cites"),
        KnowledgeEdge("audit", "audit", "repeats"),
        KnowledgeEdge("ledger", "ghost", "mentions"),
    )
    architect = ZachmanCell.from_coordinate("architect:when")
    return SampleGraph(
        "office",
        GraphIndex.from_records(nodes, edges),
        (
            Answer(
                Query("audit", persona="CLERK-1", max_hops=1),
                seeds=("audit", "plan"),
                reached=("audit", "plan", "risk", "ledger", "CLERK-1"),
                kept=("audit", "plan", "risk", "ledger", "CLERK-1"),
                scores={"audit": 0.6, "plan": 1.0, "risk": 0.1, "ledger": 0.1, "CLERK-1": 0.5},
            ),
            Answer(
                Query("risk", cell=architect, max_hops=2),
                seeds=("risk",),
                reached=("risk", "audit", "plan"),
                kept=("risk", "audit"),
                scores={"risk": 0.6, "audit": 0.1},
            ),
            Answer(Query("nothing of the kind"), (), (), (), {}),
        ),
    )


def empty() -> SampleGraph:
    """Return a graph without a node."""
    return SampleGraph("empty", GraphIndex.from_records(()))


def single() -> SampleGraph:
    """Return one node that only an edge to itself touches."""
    return SampleGraph(
        "single",
        GraphIndex.from_records(
            [_node("audit", "Audit trail", "concept", "architect:when")],
            [KnowledgeEdge("audit", "audit", "repeats")],
        ),
    )


def dangling() -> SampleGraph:
    """Return two nodes whose edges lead to ids that are no nodes, and one edge between such ids."""
    nodes = [_node("audit", "Audit trail", "concept"), _node("plan", "Audit plan", "process")]
    edges = [
        KnowledgeEdge("audit", "ghost", "uses"),
        KnowledgeEdge("phantom", "audit", "uses"),
        KnowledgeEdge("ghost", "phantom", "uses"),
        KnowledgeEdge("audit", "plan", "needs"),
    ]
    return SampleGraph("dangling", GraphIndex.from_records(nodes, edges))


def odd() -> SampleGraph:
    """Return a row of nodes of :data:`ODD_TEXTS`: labels, types and texts; then one of a very long text."""
    nodes = [
        _node(
            f"o{place}", label, f"type {label}".strip(), "architect", text=label * 3, **{label or "k": label}
        )
        for place, label in enumerate(ODD_TEXTS)
    ]
    nodes.append(_node("long", "Audit " * 50, "concept", text="audit of it all. " * (LONG // 17)))
    ids = [node.node_id for node in nodes]
    edges = [KnowledgeEdge(one, other, "次 🙂") for one, other in pairwise(ids)]
    return SampleGraph("odd", GraphIndex.from_records(nodes, edges))


def crowd(nodes: int = 60) -> SampleGraph:
    """Return a graph of any size: a tree of three children a node, and an edge across from each.

    Half of the labels hold the word audit. The same size is the same graph; edges grow with the nodes.
    """
    cells = ("architect:what", "engineer:how", "owner:why")
    made = [
        _node(
            f"n{place}",
            f"{'Audit' if place % 2 else 'Plan'} {place} of unit {place % 7}",
            ("concept", "process", "entity")[place % 3],
            cells[place % 3],
            text=f"Unit {place % 7} keeps record {place}. The audit of unit {place % 5} reads it.",
            date=f"20{10 + place % 15}",
        )
        for place in range(nodes)
    ]
    edges = [KnowledgeEdge(f"n{(place - 1) // 3}", f"n{place}", "has") for place in range(1, nodes)]
    edges += [KnowledgeEdge(f"n{place}", f"n{(place * 7 + 3) % nodes}", "cites") for place in range(nodes)]
    return SampleGraph(f"crowd of {nodes}", GraphIndex.from_records(made, edges))


def samples() -> tuple[SampleGraph, ...]:
    """Return every sample graph, the ordinary ones first."""
    return (office(), crowd(), single(), dangling(), odd(), empty())


def _node(node_id: str, label: str, node_type: str, cell: str = "", **properties: str) -> KnowledgeNode:
    given = {"zachman_cell": cell, **properties} if cell else dict(properties)
    return KnowledgeNode(node_id, node_type, label, properties=given)
