"""Coverage of the query's terms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query
from graphrag_pipeline.stages.rerank.coverage import QueryCoverage, QueryCoverageParams
from tests.tiny import index_of, node

# Each term of the query is in two labels, so all weigh the same: half of the query's idf each.
HALVES = index_of(
    [node("a", "harbour"), node("b", "harbour"), node("c", "tower"), node("d", "tower"), node("e", "mill")]
)
SCORES = [1.0, 0.9, 0.5, 0.4, 0.0]
TEXT = "the harbour tower"


def scores(scored: list[float], text: str = TEXT, index: GraphIndex = HALVES, **params: Any) -> list[float]:
    candidates = replace(Candidates.seeds(np.arange(len(scored))), score=np.array(scored))
    made = QueryCoverageParams.model_validate({"trade_off": 0.5, **params})
    return list(QueryCoverage(made).rerank(candidates, Query(text), index).tolist())


def ranking(scored: list[float], text: str = TEXT, index: GraphIndex = HALVES, **params: Any) -> str:
    found = np.array(scores(scored, text, index, **params))
    return "".join(index.ids[row] for row in np.argsort(-found, kind="stable").tolist())


def test_each_half_of_a_question_gets_its_best_text_first():
    # After a: b is 0.5·0.9 = 0.45 and c is 0.5·0.5 + 0.5·0.5 = 0.5. Then nothing is left to cover.
    assert ranking(SCORES) == "acbde"
    assert scores(SCORES) == [1.0, 0.5, 0.9, 0.4, 0.0]


def test_the_score_alone_leaves_the_order():
    assert scores(SCORES, trade_off=1) == SCORES


def test_new_terms_alone_come_first_and_the_rest_by_score():
    assert ranking([0.2, 0.9, 0.4, 0.5, 1.0], trade_off=0) == "bdeca"


def test_a_term_may_go_on_counting():
    # With repeat 1 nothing is ever covered, so a term is worth as much the second time.
    assert ranking(SCORES, repeat=1) == "abcde"
    # After a, harbour is worth 0.5·0.5·0.9 = 0.225: b is 0.45 + 0.225 and c 0.25 + 0.25.
    assert ranking(SCORES, repeat=0.9) == "abcde"


def test_rare_terms_weigh_more():
    index = index_of(
        [node("a", "port port-a"), node("b", "port b"), node("c", "port c"), node("d", "zenith")]
    )
    assert ranking([0.5, 0.5, 0.5, 0.5], "port zenith", index, trade_off=0)[0] == "d"


def test_a_question_that_the_graph_knows_nothing_of_changes_nothing():
    for text in ("", "zebra", "the", "🚀"):
        assert scores(SCORES, text) == SCORES


def test_only_the_best_are_looked_at():
    assert ranking(SCORES, depth=2) == "abcde"
    assert ranking(SCORES, depth=3) == "acbde"


def test_a_term_that_the_query_has_twice_counts_once():
    assert scores(SCORES, "tower harbour tower tower") == scores(SCORES, "harbour tower")


def test_one_candidate_and_none_are_fine():
    assert scores([0.4]) == [0.4]
    assert scores([]) == []
    assert scores([0.4, 0.4], "b", index_of("a b")) == [0.4, np.nextafter(0.4, 1)]


def test_any_script_is_covered():
    index = index_of([node("a", "港"), node("b", "港"), node("c", "ß Straße"), node("d")])
    assert ranking([1.0, 0.8, 0.6, 0.0], "港 STRASSE", index) == "acbd"


@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"depth": 201}, {"trade_off": -0.1}, {"repeat": 2}, {"repeat": float("inf")}]
)
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        QueryCoverageParams.model_validate(wrong)
