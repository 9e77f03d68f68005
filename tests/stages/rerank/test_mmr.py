"""Maximal marginal relevance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query, load_pipeline
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.rerank.mmr import MaximalMarginalRelevance, MaximalMarginalRelevanceParams
from tests.tiny import index_of, node

COPIES = index_of(
    [
        node("a", "red harbour tower"),
        node("b", "red harbour tower"),
        node("c", "green valley bridge"),
        node("d", "green valley mill"),
        node("e", "zebra"),
    ]
)
SCORES = [1.0, 0.9, 0.6, 0.5, 0.0]


def scores(scored: list[float], index: GraphIndex = COPIES, **params: Any) -> list[float]:
    candidates = replace(Candidates.seeds(np.arange(len(scored))), score=np.array(scored))
    made = MaximalMarginalRelevanceParams.model_validate(params)
    return list(MaximalMarginalRelevance(made).rerank(candidates, Query("x"), index).tolist())


def ranking(scored: list[float], index: GraphIndex = COPIES, **params: Any) -> str:
    found = np.array(scores(scored, index, **params))
    return "".join(index.ids[row] for row in np.argsort(-found, kind="stable").tolist())


def test_a_copy_of_a_better_one_comes_after_something_new():
    # After a: b is 0.7·0.9 - 0.3·1 = 0.33, c is 0.7·0.6 = 0.42. Then b before d, which is like c.
    assert ranking(SCORES) == "acbde"


def test_the_score_alone_leaves_the_order_and_novelty_alone_puts_copies_last():
    assert ranking(SCORES, trade_off=1) == "abcde"
    assert scores(SCORES, trade_off=1) == SCORES
    assert ranking(SCORES, trade_off=0) == "acedb"


def test_the_scores_of_the_best_are_dealt_out_in_the_new_order():
    assert scores(SCORES) == [1.0, 0.6, 0.9, 0.5, 0.0]


def test_only_the_best_are_looked_at():
    assert ranking(SCORES, depth=2, trade_off=0) == "abcde"
    assert ranking(SCORES, depth=3, trade_off=0) == "acbde"
    assert ranking(SCORES, depth=1) == "abcde"


def test_relevance_does_not_depend_on_the_range_of_the_scores():
    for factor, shift in ((0.03, 0), (100, 0), (1, -5)):
        moved = [value * factor + shift for value in SCORES]
        assert ranking(moved) == "acbde"


def test_equal_scores_come_by_novelty_then_as_they_were_visited():
    assert ranking([0.5] * 5) == "acedb"
    assert ranking([0.5] * 3, index_of("x y z")) == "xyz"


def test_either_likeness_finds_copies():
    assert ranking(SCORES, similarity="jaccard") == "acbde"


def test_one_candidate_and_none_are_fine():
    assert scores([0.4]) == [0.4]
    assert scores([]) == []


def test_any_script_is_compared():
    index = index_of(
        [node("a", "港の倉庫の地図"), node("b", "港の倉庫の地図"), node("c", "🚀 Ωmega"), node("d")]
    )
    assert ranking([1.0, 0.9, 0.6, 0.0], index) == "acbd"


@pytest.mark.parametrize(
    "wrong",
    [{"depth": 0}, {"depth": 201}, {"trade_off": 1.1}, {"trade_off": float("nan")}, {"similarity": "dice"}],
)
def test_senseless_parameters_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        MaximalMarginalRelevanceParams.model_validate(wrong)


@pytest.mark.parametrize("name", ["mmr", "coverage"])
def test_a_config_puts_it_between_score_and_context(name):
    host = PluginHost.discover(entry_points=False, environ={})
    order = "pipeline.order=[seed,expand,filter,score,rerank,context]"
    query = ["bridge=noop", "score=rrf", "query.max_hops=2"]
    plain = load_pipeline(query, host=host)
    reranked = load_pipeline([*query, f"+rerank={name}", "rerank.trade_off=0.2", order], host=host)
    text = "the budget of an audit, and the persona of a bridge"
    before, after = plain.run(text).scored, reranked.run(text).scored
    assert [entry[0] for entry in before] != [entry[0] for entry in after]
    assert before[50:] == after[50:]
    assert {entry[0] for entry in before[:50]} == {entry[0] for entry in after[:50]}
    assert reranked.run(text).context_text.splitlines()[1].endswith(f"id={after[0][0]})")
