"""What configs share: the stages that a trie has, and what would not be the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.errors import ConfigError
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.sweep.groups import grouped
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import ScorerParams

ASKED = (Question("q", "audit"),)


@pytest.fixture(scope="module")
def host():
    return PluginHost.discover(entry_points=False)


def groups(host, *configs, with_context=False):
    settings = [load_settings(config.split(), host=host) for config in configs]
    return grouped(enumerate(settings), host, lambda _: ASKED, with_context=with_context)


def executions(host, *configs, **rest):
    [group] = groups(host, *configs, **rest)
    return group.executions(ASKED[0])


def test_one_config_runs_its_stages(host):
    [group] = groups(host, "", with_context=True)
    assert (group.executions(ASKED[0]), group.stages, group.points) == (7, 7, [0])


def test_a_context_runs_only_where_a_measure_looks_at_it(host):
    assert executions(host, "") == 6
    assert executions(host, "context.max_tokens=5", "context.max_tokens=9") == 6
    assert executions(host, "context.max_tokens=5", "context.max_tokens=9", with_context=True) == 8


def test_weights_cost_one_execution_however_many_there_are(host):
    weights = [f"score.weights.label_match=0.{digit}" for digit in range(1, 10)]
    assert executions(host, *weights) == 6
    # Contexts differ with the scores: bridge, filter and context run for each.
    assert executions(host, *weights, with_context=True) == 4 + 9 * 3


def test_what_comes_first_is_shared_and_what_comes_behind_is_not(host):
    assert executions(host, "query.max_hops=3", "expand.fan_out=2") == 1 + 2 * 5
    assert executions(host, "bridge=mock", "bridge=noop") == 4 + 2 * 2
    assert executions(host, "", "pipeline.order=[seed,expand,score]") == 2 + 4 + 1


def test_another_query_or_another_seed_shares_nothing(host):
    assert executions(host, "query.k=3", "query.k=4") == 12
    assert executions(host, "seed=label", "seed=bm25") == 12


def test_equal_configs_are_one(host):
    [group] = groups(host, "query.k=3", "query.k=3", "query.k=3")
    assert (group.executions(ASKED[0]), group.distinct, group.stages) == (6, 1, 21)
    [root] = group.trie_of(ASKED[0]).roots
    assert sorted(root.stage.below()) == [0, 1, 2]


def test_the_order_of_weights_makes_another_family(host):
    """Sums are taken in that order, so the last bit may differ."""
    settings = load_settings([], host=host)
    score = settings.pipeline.slots["score"]
    assert isinstance(score.params, ScorerParams)
    weights = dict(reversed(score.params.weights.items()))
    turned = replace(score, params=score.params.model_copy(update={"weights": weights}))
    slots = {**settings.pipeline.slots, "score": turned}
    other = replace(settings, pipeline=replace(settings.pipeline, slots=slots))
    [group] = grouped(enumerate([settings, other]), host, lambda _: ASKED, with_context=False)
    assert (group.executions(ASKED[0]), group.distinct) == (3 + 2 * 3, 2)


def test_each_graph_has_a_group_of_its_own(host):
    found = groups(host, "links=none", "links=text", "links=none query.k=2", "personas=none")
    assert [group.points for group in found] == [[0, 2], [1], [3]]


def test_an_expander_with_another_gate_is_another_stage(host):
    gated = "+gate.kind=filter +gate.use=rules +gate.rule.node_type=[{}] expand.gate=gate"
    assert executions(host, gated.format("task"), gated.format("task")) == 6
    assert executions(host, gated.format("task"), gated.format("role")) == 11


def test_configs_on_different_question_sets_are_refused(host):
    with pytest.raises(ConfigError, match="the same question set"):
        groups(host, "dataset.path=a", "dataset.path=b")
