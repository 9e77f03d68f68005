"""A filter before, during and after expansion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import (
    NOWHERE,
    Candidates,
    ConfigError,
    GraphIndex,
    KnowledgeGraph,
    KnowledgeNode,
    Query,
    StageError,
    Trace,
    Verdict,
    ZachmanCell,
)
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.expand.bfs import BreadthFirst, BreadthFirstParams
from graphrag_pipeline.stages.filters.rules.shape import RulesParams
from tests.pipeline.small import ids, small
from tests.tiny import Answering, edge, graph_of, node, pipeline_of


def typed(node_id: str, node_type: str) -> KnowledgeNode:
    return KnowledgeNode(node_id, node_type, node_id)


def chain() -> KnowledgeGraph:
    """A (one) – B (two) – C (one) – D (one), and A – E (one)."""
    nodes = [typed("A", "one"), typed("B", "two"), typed("C", "one"), typed("D", "one"), typed("E", "one")]
    return graph_of(nodes, "A>B B>C C>D A>E")


HOST = PluginHost.discover(entry_points=False, environ={})
ONE = {"node_type": ["one"]}
Mode = Literal["block", "pass"]


def ask(
    graph: KnowledgeGraph,
    rule: dict[str, Any],
    mode: Mode | None,
    order: str = "seed expand",
    text: str = "A",
    given: Mapping[str, object] | None = None,
    **query: Any,
) -> Trace:
    """Ask with a rule in the slot ``filter``, which is the gate where a mode is given."""
    expand = BreadthFirstParams() if mode is None else BreadthFirstParams(gate="filter", gate_mode=mode)
    pipeline = pipeline_of(
        graph,
        order,
        host=HOST,
        given=given,
        params={"expand": expand},
        slots={"filter": ComponentSpec("filter", "rules", RulesParams.model_validate({"rule": rule}))},
    )
    return pipeline.trace(Query(text, **query))


def found(trace: Trace) -> str:
    return " ".join(ids(trace.result))


def test_an_output_filter_walks_through_what_it_does_not_return():
    # datastax/graph-rag#170, #95: a filter on types also blocked the way through other types.
    trace = ask(chain(), ONE, None, "seed expand filter", max_hops=2)
    assert found(trace) == "A E C"
    assert trace.result.paths == (("A",), ("A", "E"))


def test_a_gate_keeps_the_walk_out_of_what_it_blocks():
    trace = ask(chain(), ONE, "block", max_hops=3)
    assert found(trace) == "A E"
    assert trace.result.paths == (("A",), ("A", "E"))
    step = trace.slots[1]
    assert list(step.dropped()) == [("B", "node_type")]
    assert step.drop_counts() == {"node_type": 1}
    assert step.remarks == (
        "the gate 'filter' is shut to 1 of the 3 nodes the walk met",
        "2 of 3 candidates are left, fewer than k = 10",
    )


def test_a_gate_that_lets_pass_walks_through_and_does_not_return():
    trace = ask(chain(), ONE, "pass", max_hops=3)
    assert found(trace) == "A E C D"
    assert trace.result.paths == (("A",), ("A", "E"))
    step = trace.slots[1]
    assert list(step.dropped()) == [("B", "node_type")]
    assert step.remarks[0] == (
        "nodes that the walk passed and the gate 'filter' does not return: 1; "
        "2 of the 4 returned have no path without them"
    )


def test_a_filter_before_expansion_judges_seeds_alone():
    graph = graph_of([typed("A1", "one"), typed("A2", "two"), typed("B", "two")], "A1>B A2>B")
    trace = ask(graph, ONE, None, "seed filter expand")
    assert found(trace) == "A1 B A2"  # what was dropped as a seed may be found by the walk
    assert list(trace.slots[1].dropped()) == [("A2", "node_type")]
    assert trace.result.paths == (("A1",), ("A1", "B"), ("A1", "B", "A2"))


def test_a_gate_drops_the_seeds_it_blocks():
    graph = graph_of([typed("A1", "one"), typed("A2", "two"), typed("B", "one")], "A1>B A2>B")
    trace = ask(graph, ONE, "block")
    assert found(trace) == "A1 B"
    assert list(trace.slots[1].dropped()) == [("A2", "node_type")]


def test_a_gate_that_blocks_every_seed_leaves_nothing():
    trace = ask(chain(), {"node_type": ["three"]}, "block")
    assert found(trace) == ""
    assert (trace.slots[1].candidates_in, trace.slots[1].candidates_out) == (1, 0)
    assert trace.slots[1].remarks[1:] == (
        "0 of 1 candidates are left",
        "no node has the node type 'three'",
    )


def test_a_gate_may_be_shut_to_edges():
    edges = [edge("A>B", "uses"), edge("B>A", "owns"), edge("A>C", "uses"), edge("C>D", "owns")]
    graph = graph_of("A B C D", edges)
    trace = ask(graph, {"edge_type": ["owns"]}, "block")
    assert [(link.source_id, link.edge_type) for link in trace.result.edges] == [("B", "owns")]
    assert found(trace) == "A B"
    assert list(trace.slots[1].dropped()) == [("C", "edge_type")]


def test_a_node_that_another_edge_leads_to_is_not_dropped():
    edges = [edge("A>C", "uses"), edge("A>B", "owns"), edge("B>C", "owns")]
    trace = ask(graph_of("A B C", edges), {"edge_type": ["owns"]}, "block")
    assert found(trace) == "A B C"
    assert trace.result.paths[-1] == ("A", "B", "C")
    assert list(trace.slots[1].dropped()) == []
    assert trace.slots[1].remarks == ()


def test_nodes_and_edges_may_be_mixed_in_a_gate():
    nodes = [typed("A", "one"), typed("B", "two"), typed("C", "one"), typed("D", "two")]
    edges = [edge("A>B", "owns"), edge("A>C", "uses"), edge("A>D", "uses")]
    rule = {"any": [{"edge_type": ["owns"]}, ONE]}
    trace = ask(graph_of(nodes, edges), rule, "block")
    assert found(trace) == "A B C"
    assert list(trace.slots[1].dropped()) == [("D", "any(edge_type, node_type)")]


def test_the_reference_filter_may_be_a_gate():
    cell = ZachmanCell.from_coordinate("architect:how")
    params = BreadthFirstParams(gate="filter")
    pipeline = pipeline_of(small(), "seed expand filter", params={"expand": params}, host=HOST)
    trace = pipeline.trace(Query("risk", cell=cell))
    assert found(trace) == "a"  # c is the architect's, too, but behind the engineer's b
    assert list(trace.slots[1].dropped()) == [("b", "other_perspective")]
    assert found(pipeline.trace(Query("risk"))) == "a b c d"  # it does not apply without a cell
    assert pipeline.trace(Query("risk")).slots[1].drops == ()


def test_a_gate_need_not_be_in_the_order_and_an_object_may_fill_it():
    class Shut:
        def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict:
            assert (candidates.parent == NOWHERE).all()
            keep = np.array([index.ids[at] != "E" for at in candidates.node.tolist()], dtype=np.bool_)
            return Verdict(keep, np.zeros(len(candidates), dtype=np.int64), ("shut",))

    trace = ask(chain(), ONE, "block", given={"filter": Shut()}, max_hops=2)
    assert found(trace) == "A B C"
    assert list(trace.slots[1].dropped()) == [("E", "shut")]


def test_scores_and_evidence_of_seeds_outlast_the_gate():
    trace = ask(chain(), ONE, "block", "seed expand score", text="A")
    assert trace.result.scored[0] == ("A", 0.6)
    assert trace.working.candidates.signals["label_match"].tolist() == [1.0, 0.0]


class Shortcut:
    """An expander that reads the arrays of the graph, past any gate."""

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        row = slice(*index.adjacency.start[seeds.node[0] : seeds.node[0] + 2].tolist())
        reached, over = index.adjacency.neighbour[row], index.adjacency.edge[row]
        size = reached.size
        grown = Candidates.of(
            reached.astype(np.int64),
            np.full(size, seeds.node[0]),
            over.astype(np.int64),
            np.ones(size, np.int64),
        )
        return Candidates.seeds(seeds.node[:1]).append(grown)


class Around:
    """A plugin's expander, which knows nothing of gates."""

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        node = int(seeds.node[0])
        reached, over = index.adjacency.around(node)
        grown = Candidates.of(
            reached.astype(np.int64),
            np.full(reached.size, node),
            over.astype(np.int64),
            np.ones(reached.size, np.int64),
        )
        return Candidates.seeds(seeds.node[:1]).append(grown)


def test_an_expander_that_knows_nothing_of_gates_is_gated():
    assert found(ask(chain(), ONE, "block", given={"expand": Around()})) == "A E"


@pytest.mark.parametrize("use", HOST.components("expander"))
def test_every_expander_of_ours_is_gated(use):
    made = HOST.find("expander", use).params.model_validate({"gate": "filter"})
    rule = RulesParams.model_validate({"rule": ONE})
    pipeline = pipeline_of(
        chain(),
        "seed expand",
        host=HOST,
        slots={
            "expand": ComponentSpec("expander", use, made),
            "filter": ComponentSpec("filter", "rules", rule),
        },
    )
    trace = pipeline.trace("A")
    assert found(trace) == ("A" if use == "none" else "A E")
    assert list(trace.slots[1].dropped()) == ([] if use == "none" else [("B", "node_type")])


def test_an_expander_that_walks_past_its_gate_is_refused():
    with pytest.raises(StageError, match=r"walked to 'B' past its gate 'filter'; index\.adjacency\.around"):
        ask(chain(), ONE, "block", given={"expand": Shortcut()})
    assert found(ask(chain(), ONE, None, given={"expand": Shortcut()})) == "A B E"


@pytest.mark.parametrize("mode", ["block", "pass"])
def test_what_a_gate_raises_is_told_as_its_own_fault(mode):
    class Broken:
        def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict:
            raise ZeroDivisionError("no way")

    with pytest.raises(
        StageError, match=r"The filter '.*Broken' failed: ZeroDivisionError: no way"
    ) as caught:
        ask(chain(), ONE, mode, given={"filter": Broken()})
    assert caught.value.where == "slot filter"


def test_what_a_gate_returns_is_checked():
    class Odd:
        def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Any:
            return Verdict(np.ones(len(candidates)), np.zeros(len(candidates), dtype=np.int64), ())  # type: ignore[arg-type]

    with pytest.raises(StageError, match="returned a mask of float64"):
        ask(chain(), ONE, "block", given={"filter": Odd()})


def test_each_node_is_judged_once_and_only_what_the_walk_comes_to():
    asked: list[int] = []

    class Counting:
        def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict:
            asked.extend(candidates.node.tolist())
            none = np.zeros(len(candidates), dtype=np.int64)
            return Verdict(candidates.node != 1, none, ("b",))

    graph = graph_of("A B C D E F", "A>B A>C C>A C>D B>E E>F D>C")
    ask(graph, ONE, "block", given={"filter": Counting()})
    assert asked == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("slot", "said"),
    [
        ("nowhere", "'nowhere' is not a slot"),
        ("seed", "a gate is a filter, and 'seed' is a seed retriever"),
        ("expand", "a gate is a filter, and 'expand' is an expander"),
    ],
)
def test_a_gate_that_is_no_filter_is_a_mistake(slot, said):
    with pytest.raises(ConfigError, match=said):
        pipeline_of(chain(), params={"expand": BreadthFirstParams(gate=slot)}, host=HOST)


@pytest.mark.parametrize("mode", ["block", "pass"])
def test_a_rule_that_cannot_be_judged_before_the_walk_is_a_mistake(mode):
    with pytest.raises(ConfigError, match=r"the rule rule\.not\.hop asks how a node was reached"):
        ask(chain(), {"not": {"hop": {"max": 1}}}, mode)


names = "abcdefg"
links = st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=20)


@given(links, st.sets(st.sampled_from(names)), st.integers(0, 4))
def test_blocking_is_walking_in_the_graph_without_the_blocked(found_links, shut, hops):
    nodes = [typed(name, "two" if name in shut else "one") for name in names]
    edges = [edge(f"{source}>{target}") for source, target in found_links]
    blocked = ask(graph_of(nodes, edges), ONE, "block", text="a", max_hops=hops)
    left = [link for link in edges if not shut & {link.source_id, link.target_id}]
    seeds = Candidates.seeds(np.zeros(0 if "a" in shut else 1, dtype=np.int64))
    plain = GraphIndex.from_graph(graph_of(nodes, left))
    walked = BreadthFirst().expand(seeds, Query("a", max_hops=hops), plain) if len(seeds) else seeds
    candidates = blocked.working.candidates
    assert candidates.node.tolist() == walked.node.tolist()
    assert candidates.parent.tolist() == walked.parent.tolist()
    assert candidates.hop.tolist() == walked.hop.tolist()


@given(links, st.sets(st.sampled_from(names)), st.integers(0, 4))
def test_passing_is_filtering_afterwards(found_links, shut, hops):
    nodes = [typed(name, "two" if name in shut else "one") for name in names]
    graph = graph_of(nodes, [edge(f"{source}>{target}") for source, target in found_links])
    passed = ask(graph, ONE, "pass", text="a", max_hops=hops)
    after = ask(graph, ONE, None, "seed expand filter", text="a", max_hops=hops)
    assert passed.result == after.result


def test_two_nodes_of_one_name_are_told_apart_by_type():
    graph = graph_of([KnowledgeNode("p1", "person", "Jordan"), KnowledgeNode("l1", "place", "Jordan")])
    assert found(ask(graph, {"node_type": ["place"]}, None, "seed filter expand", text="Jordan")) == "l1"
    assert found(ask(graph, {"all": []}, None, "seed filter expand", text="Jordan")) == "p1 l1"


def test_extras_of_a_bridge_are_judged_by_rules_too():
    answer = {
        "nodes": [node("x", year=1990).to_dict(), node("y").to_dict()],
        "edges": [{"source_id": "A", "target_id": "x", "edge_type": "uses"}],
        "paths": [["A", "x"], ["A", "y"]],
    }
    rule = {"any": [ONE, {"property": {"key": "year"}}]}
    trace = ask(
        chain(),
        rule,
        None,
        "seed expand filter bridge filter",
        given={"bridge": Answering(answer)},
        max_hops=1,
    )
    assert found(trace) == "A E x"
    assert list(trace.slots[4].dropped()) == [("y", "any(node_type, property year)")]
    assert trace.result.paths == (("A",), ("A", "E"), ("A", "x"))
    # No edge of the graph led to an extra, so a rule about edges leaves it alone; it is at hop 0.
    given = {"bridge": Answering(answer)}
    assert found(ask(chain(), {"edge_type": ["owns"]}, None, "seed bridge filter", given=given)) == "A x y"
    assert found(ask(chain(), {"hop": {"min": 1}}, None, "seed bridge filter", given=given)) == ""
