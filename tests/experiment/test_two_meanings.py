"""Ids that may mean two nodes or two queries, as run files write blanks with escapes."""

from __future__ import annotations

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from tests.tiny import index_of, node


def index_with(*ids: str):
    return index_of([node(name, "one") for name in ids])


def test_an_id_that_is_written_as_another_one_is_told_and_means_itself():
    asked = (Question("q", "one"),)
    judged = judge(Dataset("t", asked, {"q": {"a%20b": 1, "c": 1}}), index_with("a b", "a%20b", "c"))
    assert judged.relevant == {"q": ("a%20b", "c")}
    assert judged.findings.two_nodes == (("q", "a%20b"),)


def test_one_node_is_no_two():
    asked = (Question("q", "one"),)
    dataset = Dataset("t", asked, {"q": {"a%20b": 1}})
    assert judge(dataset, index_with("a b")).relevant == {"q": ("a b",)}
    for ids in (("a b",), ("a%20b",), ("a b", "a%2520b")):
        assert judge(dataset, index_with(*ids)).findings.two_nodes == ()
    # Written so, the per cent sign is escaped itself: this is the other one and nothing else.
    dataset = Dataset("t", asked, {"q": {"a%2520b": 1}})
    judged = judge(dataset, index_with("a b", "a%20b"))
    assert (judged.relevant, judged.findings.two_nodes) == ({"q": ("a%20b",)}, ())


def test_a_judged_id_that_may_be_two_queries_is_told():
    asked = (Question("q 1", "one"), Question("q%201", "one"), Question("q2", "one"))
    found = judge(Dataset("t", asked, {"q%201": {"a": 1}, "q2": {"a": 1}}), index_with("a")).findings
    assert found.two_queries == ("q%201",)
    assert found.without_qrels == ("q 1",)


def test_titles_are_no_ids_of_run_files():
    asked = (Question("q", "one"),)
    dataset = Dataset("t", asked, {"q": {"a%20b": 1}}, by_label=True)
    assert judge(dataset, index_with("a b", "a%20b")).findings.two_nodes == ()


def test_two_judgements_of_one_node_are_an_error():
    index = index_of([node("a%20b"), node("a b")])
    relevance = {"q1": {"a%20b": 1, "a%2520b": 3}}
    with pytest.raises(DatasetError, match="of one node, 'a%20b': 'a%20b' and 'a%2520b'"):
        judge(Dataset("t", (Question("q1", "a"),), relevance), index)
