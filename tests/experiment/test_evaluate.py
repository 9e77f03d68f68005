"""Evaluating a question set: values reckoned by hand, failing queries, what does not match."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from graphrag_pipeline import Seed
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import GoldEdge, judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.result_rows import connectedness, context_rows
from graphrag_pipeline.experiment.summary import summary
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.scored import Context
from tests.experiment.valued import graph_values
from tests.tiny import Answering, edge, graph_of, index_of, node, pipeline_of

MEASURES = ("nDCG@10", "R@10", "RR", "AP")


class Faulty:
    """Label seeds that fail for one text."""

    def retrieve(self, query, index, k):
        if query.text in ("far", "all"):
            raise RuntimeError("no such place")
        return [Seed(node_id, 1.0) for node_id in index.ids_at(index.find(query.text, k))]


def rows_of(index, questions, **rest):
    judged = judge(questions, index)
    return judged, list(Evaluator(pipeline_of(index, **rest), judged, MEASURES, 10).evaluated())


def test_values_are_those_reckoned_by_hand(index, questions):
    judged, rows = rows_of(index, questions)
    # q1 ranks audit, board, ledger; q2 ranks far; q3 finds nothing; q4 is not judged.
    ideal = 1 + 1 / math.log2(3)
    assert rows[0].values == pytest.approx(((1 + 1 / math.log2(4)) / ideal, 1, 1, (1 + 2 / 3) / 2))
    assert rows[1].values == pytest.approx((1 / ideal, 0.5, 1, 0.5))
    assert rows[2].values == (0, 0, 0, 0)
    assert rows[3].values is None
    graph = [row.answer.graph for row in rows]
    assert [values.candidates for values in graph] == [3, 1, 0, 3]
    assert [values.gold_candidates for values in graph] == [1, 0.5, 0, None]
    assert [values.gold_context for values in graph] == [1, 0.5, 0, None]
    assert [values.connectedness for values in graph] == [1, 1, 0, 1]
    assert [values.path_edges for values in graph] == [1, None, None, None]
    assert graph[0].tokens == math.ceil(len(_context(index)) / 4)
    found = summary(rows, MEASURES, judged.findings)
    assert (found.queries, found.judged, found.failed) == (4, 3, ())
    assert (found.measures["RR"].mean, found.measures["RR"].queries) == (2 / 3, 3)
    assert (found.graph["path_edges"].mean, found.graph["path_edges"].queries) == (1, 1)
    assert (found.graph["candidates"].mean, found.graph["candidates"].queries) == (7 / 4, 4)


def _context(index):
    return pipeline_of(index).run("audit").context_text


def test_a_query_that_fails_counts_0_and_the_others_go_on(index, questions):
    judged, rows = rows_of(index, questions, given={"seed": Faulty()})
    failed = rows[1].answer
    assert "no such place" in failed.failure.what
    assert (failed.digest, failed.ranking, failed.graph.gold_candidates) == ("", (), 0)
    assert rows[1].values == (0, 0, 0, 0)
    assert [bool(row.answer.failure) for row in rows] == [False, True, False, False]
    found = summary(rows, MEASURES, judged.findings)
    assert found.failed == ("q2",)
    assert found.measures["RR"].mean == pytest.approx(1 / 3)


def test_all_may_fail(index):
    questions = Dataset("bad", (Question("a", "all"), Question("b", "all")), {"a": {"far": 1}})
    judged, rows = rows_of(index, questions, given={"seed": Faulty()})
    found = summary(rows, MEASURES, judged.findings)
    assert found.failed == ("a", "b")
    assert found.measures["AP"].mean == 0


def test_what_does_not_match_is_listed_whole(index, questions):
    more = Dataset(
        "odd",
        questions.questions,
        {**questions.relevance, "q9": {"far": 1}, "q3": {"ledger": 0}},
        paths={"q1": (("audit", "read_by", "nobody"),), "q8": (("a", "b", "c"),)},
    )
    found = judge(more, index).findings
    assert found.unknown_nodes == (("q2", "river"),)
    assert found.without_qrels == ("q4",)
    assert found.without_query == ("q8", "q9")
    assert found.without_relevant == ("q3",)
    assert found.unknown_path_ends == (("q1", "nobody"),)


def test_judgements_of_other_queries_and_of_other_graphs_are_refused(index, questions):
    with pytest.raises(DatasetError, match="No query is judged"):
        judge(Dataset("x", questions.questions, {"other": {"far": 1}}), index)
    with pytest.raises(DatasetError, match="No relevant document is a node"):
        judge(Dataset("x", questions.questions, {"q1": {"D17": 1}}), index)


def test_titles_are_labels_and_the_first_of_several_counts():
    index = index_of([node("p1", "Rome"), node("e1", "Rome"), node("p2", "Oslo")])
    judged = judge(
        Dataset("t", (Question("q", "?"),), {"q": {"Rome": 1, "Oslo": 1, "Bern": 1}}, by_label=True), index
    )
    assert judged.relevant["q"] == ("p1", "p2", "Bern")
    assert judged.findings.ambiguous == ("Rome",)
    assert judged.findings.unknown_nodes == (("q", "Bern"),)


def test_judged_ids_with_blanks_may_be_written_as_run_files_have_them():
    index = index_of([node("New York")])
    judged = judge(Dataset("t", (Question("q", "?"),), {"q": {"New%20York": 1}}), index)
    assert judged.relevant["q"] == ("New York",)


def test_a_query_without_judgements_at_all_still_runs(index):
    judged, rows = rows_of(index, Dataset("t", (Question("q", "audit"),)))
    found = summary(rows, MEASURES, judged.findings)
    assert (found.measures["RR"].mean, found.measures["RR"].queries) == (None, 0)
    assert found.graph["candidates"].mean == 3


def test_a_query_takes_what_it_does_not_say_from_the_config(index):
    pipeline = pipeline_of(index)
    asked = Question("q", "x", persona="P", cell="architect:who", max_hops=0).query(pipeline.query)
    assert (asked.text, asked.k, asked.persona, asked.max_hops) == ("x", 10, "P", 0)
    assert asked.cell is not None
    assert asked.cell.coordinate == "architect:who"
    assert Question("q", "x", k=0).query(pipeline.query).k == 0


def test_connectedness_is_by_edges_between_nodes_of_the_context():
    index = index_of("a b c d", "a>b b>c c>d")
    working = pipeline_of(index).trace("a").working
    for rows, share in (([0, 1, 2, 3], 1), ([0, 1, 3], 2 / 3), ([0, 2], 1 / 2), ([], 0)):
        assert connectedness(np.array(rows, dtype=np.int64), working, index) == share


def test_nodes_and_edges_of_a_bridge_count():
    index = index_of("a b", "a>b")
    answer = {
        "nodes": [node("x").to_dict(), node("y").to_dict()],
        "edges": [edge("x>b").to_dict(), edge("x>y").to_dict()],
    }
    trace = pipeline_of(index, given={"bridge": Answering(answer)}).trace("a")
    values = graph_values(trace, ["x", "a", "z"], [GoldEdge(("x",), "uses", ("y",))])
    assert (values.candidates, values.context_nodes, values.connectedness) == (4, 4, 1)
    assert (values.gold_candidates, values.gold_context, values.path_edges) == (2 / 3, 2 / 3, 1)


def test_a_context_that_names_its_nodes_is_taken_at_its_word():
    index = index_of("a b c", "a>b b>c")
    working = pipeline_of(index).trace("a").working
    named = replace(working, context=Context("…", 3, ("c", "unknown", "a", "c")))
    assert context_rows(named, index).tolist() == [2, 0]
    assert context_rows(WorkingSet(), index).tolist() == []


def test_the_ranking_is_no_deeper_than_asked_for():
    nodes = [f"n{place}" for place in range(30)]
    index = index_of(" ".join(nodes), " ".join(f"n0>{name}" for name in nodes[1:]))
    judged = judge(Dataset("t", (Question("q", "n0"),), {"q": {"n29": 1}}), index)
    rows = list(Evaluator(pipeline_of(index), judged, ("RR",), 5).evaluated())
    assert [name for name, _ in rows[0].answer.ranking] == nodes[:5]
    assert [(row.values, row.answer.graph.gold_candidates) for row in rows] == [((0,), 1)]


def test_more_queries_than_are_measured_at_once_keep_their_order():
    index = index_of(" ".join(f"n{place}" for place in range(150)))
    asked = tuple(Question(f"q{place}", f"n{place}") for place in range(150))
    questions = Dataset("t", asked, {f"q{place}": {f"n{place}": 1} for place in range(150)})
    _, rows = rows_of(index, questions)
    assert [row.answer.question for row in rows] == list(asked)
    assert {row.values[1] for row in rows} == {1.0}


def test_an_empty_graph_answers_nothing():
    judged = judge(Dataset("t", (Question("q", "a"),)), index_of())
    rows = list(Evaluator(pipeline_of(graph_of()), judged, (), 10).evaluated())
    assert rows[0].answer.graph.candidates == 0
    assert rows[0].answer.digest


def test_a_digest_is_of_the_result_and_not_of_the_time(index):
    judged = judge(
        Dataset("t", (Question("a", "audit"), Question("b", "audit"), Question("c", "far"))), index
    )
    first, same, other = (
        row.answer.digest for row in Evaluator(pipeline_of(index), judged, (), 10).evaluated()
    )
    assert first == same != other
    longer = index_of("audit board", [edge("audit>board")])
    changed = next(Evaluator(pipeline_of(longer), judged, (), 10).evaluated()).answer.digest
    assert changed != first
