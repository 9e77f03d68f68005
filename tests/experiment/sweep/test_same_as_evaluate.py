"""A sweep gives each config the values that the config has by itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.sweep.answering import Answering
from graphrag_pipeline.experiment.sweep.groups import grouped
from graphrag_pipeline.experiment.sweep.measuring import Measuring, needs_context
from graphrag_pipeline.plugin.host import PluginHost

RANKED = ("nDCG@5", "R@3", "RR", "AP", "nDCG@10")
OF_RESULTS = (
    *("tokens", "gold_context", "candidates", "connectedness"),
    *("context_nodes", "gold_survived", "cell_coverage", "redundancy", "gold_candidates"),
)
QUESTIONS = Dataset(
    "demo",
    (
        Question("q1", "audit"),
        Question("q2", "who keeps the ledger of the audit board"),
        Question("q3", "data model", persona="FCON-001"),
        Question("q4", "nothing like it"),
        Question("q5", "process", cell="architect:who"),
        Question("q6", "risk policy", k=2, max_hops=1),
    ),
)
RERANKED = ("+rerank=mmr", "pipeline.order=[seed,expand,score,rerank,context]")
CONFIGS = (
    (),
    ("score.weights.label_match=0.7",),
    ("score.weights.label_match=0.2", "score.weights.persona_match=0.9"),
    ("score.weights.baseline=0", "+score.weights.degree_penalty=-0.2"),
    ("score.clamp=false", "score.weights.baseline=3"),
    ("score.normalise=rank",),
    ("score=rrf",),
    ("score=rrf", "score.weights.label_match=0.1"),
    ("seed=bm25",),
    ("seed=bm25", "score.weights.label_match=0.7"),
    ("seed=mention", "expand=none"),
    ("query.max_hops=1", "bridge=noop"),
    ("query.k=3", "bridge=mock"),
    ("query.k=3", "bridge=mock", "score.weights.label_match=0.7"),
    ("query.cell=architect:who",),
    ("query.cell=architect:who", "score.weights.label_match=0.7"),
    ("context.max_tokens=20",),
    ("context=paths", "score.weights.label_match=0.7"),
    RERANKED,
    (*RERANKED, "score.weights.label_match=0.7"),
    ("pipeline.order=[seed,expand,bridge,score,filter,context]", "bridge=mock"),
    ("pipeline.order=[seed,score,expand,score,bridge,bridge,context]", "bridge=mock"),
    ("pipeline.order=[seed,expand,score]",),
    ("pipeline.order=[seed,expand,score]", "score.weights.label_match=0.7"),
    ("pipeline.order=[seed]",),
    ("links=text",),
    ("pipeline=hybrid",),
    ("pipeline=hybrid", "score.weights.ppr=0.4"),
    ("pipeline=hybrid", "score.weights.ppr=0.4", "score.weights.residual=0"),
)


@pytest.fixture(scope="module")
def host():
    return PluginHost.discover(entry_points=False)


@pytest.fixture(scope="module")
def questions(host):
    """The questions, judged by what the demo graph has: every third node that a label search finds."""
    index = build_pipeline(load_settings([], host=host), host).index
    ids = index.ids_at(np.arange(index.node_count))
    judged = {
        question.query_id: {node: 1 + place % 2 for place, node in enumerate(ids[at::7])}
        for at, question in enumerate(QUESTIONS.questions)
        if question.query_id != "q3"
    }
    return replace(QUESTIONS, relevance=judged)


def swept(configs, host, questions, measures):
    """The values by config, query and measure, as a sweep of all gives them."""
    values = np.full((len(configs), len(questions.questions), len(measures)), np.nan)
    for group in grouped(
        enumerate(configs), host, lambda _: questions.questions, with_context=needs_context(measures)
    ):
        answering = Answering(group, host, questions, Measuring(measures, 1000))
        for query in range(len(questions.questions)):
            for row in answering.rows(query):
                assert row.status == "done"
                values[row.point, query] = row.values
    return values


def alone(config, host, questions, measures):
    """The same of one config, evaluated by itself."""
    pipeline = build_pipeline(config, host)
    ranked = [name for name in measures if name in RANKED]
    values = []
    for row in Evaluator(pipeline, judge(questions, pipeline.index), ranked, 1000).evaluated():
        found = dict(zip(ranked, row.values or [math.nan] * len(ranked), strict=True))
        found |= {name: getattr(row.answer.graph, name) for name in OF_RESULTS}
        values.append([math.nan if found[name] is None else float(found[name]) for name in measures])
    return np.array(values)


@pytest.fixture(scope="module")
def configs(host):
    return [load_settings(overrides, host=host) for overrides in CONFIGS]


@pytest.mark.parametrize("measures", [RANKED, RANKED + OF_RESULTS], ids=["rankings", "results"])
def test_every_config_has_the_values_it_has_alone(host, questions, configs, measures):
    together = swept(configs, host, questions, measures)
    for config, found in zip(configs, together, strict=True):
        np.testing.assert_array_equal(found, alone(config, host, questions, measures))


@settings(max_examples=10)
@given(places=st.lists(st.sampled_from(range(len(CONFIGS))), min_size=1, max_size=6))
def test_a_config_has_the_same_values_in_whatever_company(host, questions, configs, everything, places):
    found = swept([configs[place] for place in places], host, questions, RANKED)
    np.testing.assert_array_equal(found, everything[places])


@pytest.fixture(scope="module")
def everything(host, questions, configs):
    return swept(configs, host, questions, RANKED)
