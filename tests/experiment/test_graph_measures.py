"""Values of results, worked out by hand: gold paths, cells, near-duplicates, what survives the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from graphrag_pipeline.experiment.datasets.checks import GoldEdge, joined, judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.graph_measures import OF_CONTEXTS, GraphMeasures, failed_values
from graphrag_pipeline.experiment.label_groups import LabelGroups
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.stages.context.bullets import BulletsParams
from graphrag_pipeline.stages.scored import Context
from tests.experiment.valued import graph_values
from tests.tiny import Answering, edge, index_of, node, pipeline_of


def trace_of(index, text="a", **rest):
    return pipeline_of(index, **rest).trace(text)


def one(source, target, *paths, kind="uses"):
    return GoldEdge((source,), kind, (target,), paths or (0,))


def test_a_gold_path_is_complete_when_all_its_edges_are_in_the_result():
    index = index_of("a b c d e", "a>b b>c")
    edges = [one("a", "b", 0), one("b", "c", 0), one("c", "d", 1), one("a", "b", 1)]
    values = graph_values(trace_of(index), [], edges)
    # In path 1 the first edge, c>d, is missing already.
    assert (values.path_edges, values.path_completeness, values.hop_coverage) == (3 / 4, 1 / 2, 1 / 2)
    assert values.edge_precision == 1.0  # three gold edges, two edges: no more than all of them


def test_hop_coverage_is_how_far_a_path_is_walked_without_a_gap():
    index = index_of("a b c d", "a>b b>c c>d")
    there = graph_values(trace_of(index), [], [one("a", "b"), one("b", "c"), one("x", "y"), one("c", "d")])
    assert (there.hop_coverage, there.path_completeness, there.path_edges) == (1 / 2, 0, 3 / 4)


def test_edge_precision_is_the_share_of_edges_that_are_gold():
    index = index_of("a b c d", "a>b a>c a>d")
    assert graph_values(trace_of(index), [], [one("a", "b")]).edge_precision == 1 / 3
    assert graph_values(trace_of(index, "nothing"), [], [one("a", "b")]).edge_precision == 0


@pytest.mark.parametrize(
    ("source", "target", "kind"), [("b", "a", "uses"), ("a", "b", "has"), ("a", "c", "uses")]
)
def test_a_gold_edge_has_a_direction_and_a_type(source, target, kind):
    index = index_of("a b c", [edge("a>b"), edge("b>c", "has")])
    assert graph_values(trace_of(index), [], [one(source, target, kind=kind)]).path_edges == 0


def test_a_gold_edge_walked_backwards_is_found():
    index = index_of("a b", "b>a")
    assert graph_values(trace_of(index), [], [one("b", "a")]).path_edges == 1


def test_edges_that_hang_together_are_a_path_unless_paths_are_told():
    triples = (("a", "r", "b"), ("x", "r", "y"), ("b", "r", "c"), ("y", "r", "c2"))
    assert joined(triples) == [[0, 2], [1, 3]]
    assert joined((*triples, ("c2", "r", "c"))) == [[0, 1, 2, 3, 4]]
    asked = (Question("q", "a"),)
    index = index_of("a b c", "a>b b>c")
    edges = judge(Dataset("t", asked, paths={"q": triples}), index).edges["q"]
    assert [found.paths for found in edges] == [(0,), (1,), (0,), (1,)]
    told = Dataset("t", asked, paths={"q": triples}, routes={"q": ((0, 1), (1, 2))})
    assert [found.paths for found in judge(told, index).edges["q"]] == [(0,), (0, 1), (1,), ()]


def test_what_survives_the_budget_is_counted_of_what_was_found():
    index = index_of("a b c", "a>b b>c")
    trace = trace_of(index, params={"context": BulletsParams(max_tokens=20)})
    rows = len(trace.working.context.text.splitlines()) - 1
    assert rows == 1
    values = graph_values(trace, ["a", "c", "gone", "lost"], ())
    assert (values.gold_candidates, values.gold_context, values.gold_survived) == (1 / 2, 1 / 4, 1 / 2)
    assert graph_values(trace, ["gone"], ()).gold_survived is None


def test_cells_of_gold_nodes_are_covered_by_nodes_of_the_context():
    cells = {"a": "architect:how", "b": "architect", "c": "engineer:who", "d": None}
    nodes = [node(name, zachman_cell=cell) if cell else node(name) for name, cell in cells.items()]
    index = index_of([*nodes, node("zoo", zachman_cell="executive:why")], "a>b b>c c>d")
    trace = trace_of(index)
    assert graph_values(trace, ["a", "b", "zoo"], ()).cell_coverage == 2 / 3
    assert graph_values(trace, ["a"], ()).cell_coverage == 1
    assert graph_values(trace, ["d"], ()).cell_coverage is None
    assert graph_values(trace, None, ()).cell_coverage is None


def test_without_cells_of_gold_nodes_the_cell_of_the_query_counts():
    index = index_of([node("a", zachman_cell="architect:how"), node("b")], "a>b")
    trace = trace_of(index)
    for cell, share in (("architect:how", 1), ("architect:who", 0)):
        asked = replace(trace.query, cell=ZachmanCell.from_coordinate(cell))
        assert graph_values(replace(trace, query=asked), ["b"], ()).cell_coverage == share


def test_nodes_called_alike_are_redundant():
    labels = {"a": "New York", "b": "york, new!", "c": "Nëw  York", "d": "New Jersey", "e": "", "f": "…"}
    index = index_of([node(*pair) for pair in labels.items()], "a>b a>c a>d a>e a>f")
    trace = trace_of(index, "new york", params={"context": BulletsParams(max_tokens=1000)})
    values = graph_values(trace, None, ())
    assert (values.context_nodes, values.redundancy) == (6, 1 / 3)
    assert graph_values(trace_of(index, "nothing"), None, ()).redundancy is None


def test_labels_with_the_words_of_one_before_are_counted():
    labels = ["X y", "y x", "z", "x\ny", "x-(y)", "é_1", "xy", "", "…", "\uff39, x!"]
    index = index_of([node(str(place), label) for place, label in enumerate(labels)])

    def repeated(*nodes: int, added: Sequence[str] = ()) -> int:
        return LabelGroups(index).repeated(np.array(nodes, dtype=np.int64), added)

    assert [repeated(0, place) for place in range(1, 10)] == [1, 0, 1, 1, 0, 0, 0, 0, 1]
    assert repeated(*range(10)) == 4
    assert repeated(7, 8, added=["", "?"]) == 0
    assert repeated(0, 2, 5, added=["E_1", "Y x", "Y y", "z"]) == 3
    assert repeated() == 0


def test_labels_of_the_same_letters_and_other_words_are_not_counted():
    index = index_of([node("a", "on no"), node("b", "no on"), node("c", "noon"), node("d", "oonn")])
    groups = LabelGroups(index)
    groups.read(np.array([1, 3]))
    assert groups.repeated(np.arange(4)) == 1


def test_a_bridge_brings_gold_nodes_cells_and_doubles():
    index = index_of([node("a", "Alpha"), node("b", "Beta")], "a>b")
    answer = {
        "nodes": [node("x", "ALPHA", zachman_cell="architect:how").to_dict(), node("y", "beta").to_dict()],
        "edges": [edge("x>b").to_dict()],
    }
    trace = pipeline_of(index, given={"bridge": Answering(answer)}).trace("alpha")
    gold = Gold.of(index, ["x", "a", "z"], [one("x", "b"), one("a", "b")], {"x": 2, "a": 1, "z": 1})
    measures = GraphMeasures(index)
    excerpt = measures.take(trace, gold)
    values = measures.of(excerpt)
    assert excerpt.found.tolist() == [0, 2, -1]
    assert gold.levels.tolist() == [1, 2, 1]
    assert (values.gold_candidates, values.gold_survived, values.path_completeness) == (2 / 3, 1, 1)
    assert values.redundancy == 1 / 2
    asked = replace(trace.query, cell=ZachmanCell.from_coordinate("architect:how"))
    assert graph_values(replace(trace, query=asked), None, ()).cell_coverage == 1


def test_values_are_the_same_with_the_ranking_given_and_with_a_context_that_names_nodes():
    index = index_of("a b c d", "a>b b>c c>d")
    trace = trace_of(index)
    gold, measures = Gold.of(index, ["a", "d"]), GraphMeasures(index)
    assert measures.values(trace, gold, trace.working.ranking()) == measures.values(trace, gold)
    named = replace(trace, working=replace(trace.working, context=Context("…", 2, ("d", "b"))))
    values = measures.values(named, gold, trace.working.ranking())
    assert (values.context_nodes, values.gold_context, values.connectedness) == (2, 1 / 2, 1 / 2)


def test_without_a_context_what_is_of_contexts_has_no_value():
    index = index_of("a b c", "a>b b>c")
    values = graph_values(trace_of(index), ["a", "c"], [one("a", "b")])
    there = ("gold_context", "gold_survived", "context_nodes", "connectedness")
    assert [getattr(values, name) for name in there] == [1, 1, 3, 1]
    without = values.without_context()
    assert [getattr(without, name) for name in OF_CONTEXTS] == [None] * 7
    kept = ("candidates", "gold_candidates", "path_edges", "path_completeness", "edge_precision")
    assert [getattr(without, name) for name in kept] == [getattr(values, name) for name in kept]
    failed = failed_values(judged=True, has_edges=False, has_cells=True).without_context()
    assert (failed.gold_candidates, failed.gold_context, failed.cell_coverage, failed.tokens) == (
        *(0, None),
        *(None, None),
    )


def test_a_query_that_failed_found_nothing():
    values = failed_values(judged=True, has_edges=True, has_cells=True)
    for name in ("gold_context", "path_edges", "path_completeness", "hop_coverage", "edge_precision"):
        assert getattr(values, name) == 0
    assert (values.cell_coverage, values.gold_survived, values.redundancy) == (0, None, None)
    assert failed_values(judged=False, has_edges=False).path_completeness is None
