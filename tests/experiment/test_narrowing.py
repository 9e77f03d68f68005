"""Queries with rules of their own."""

from __future__ import annotations

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.narrowing import narrowed
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.spec import ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.expand.bfs import BreadthFirstParams
from graphrag_pipeline.stages.filters.rules.shape import RulesParams
from tests.tiny import edge, index_of, pipeline_of

INDEX = index_of(
    [KnowledgeNode(name, kind, name) for name, kind in (("a", "x"), ("b", "y"), ("c", "z"), ("d", "y"))],
    [edge("a>b"), edge("a>c"), edge("a>d")],
)


@pytest.fixture
def host():
    return PluginHost.discover(entry_points=False, environ={})


def spec_of(rule, **slots):
    reference = reference_spec()
    rules = ComponentSpec("filter", "rules", RulesParams.model_validate({"rule": rule}))
    return PipelineSpec(reference.order, {**reference.slots, "filter": rules, **slots})


def ranked(host, rule, *questions, **slots):
    spec = spec_of(rule, **slots)
    pipeline = pipeline_of(INDEX, slots={"filter": spec.slots["filter"], **slots}, host=host)
    judged = judge(Dataset("t", questions), INDEX)
    own = narrowed(pipeline, spec, host, questions)
    return [
        list(row.answer.nodes) for row in Evaluator(pipeline, judged, (), 10, narrowed=own).evaluated()
    ], own


def test_a_rule_of_a_query_holds_for_that_query_only(host):
    found, own = ranked(
        host,
        {"all": []},
        Question("1", "a"),
        Question("2", "a", filters={"filter": {"node_type": ["x", "y"]}}),
        Question("3", "a", filters={"filter": {"node_type": ["x", "y"]}}),
    )
    assert found == [["a", "b", "c", "d"], ["a", "b", "d"], ["a", "b", "d"]]
    assert own["2"] is own["3"]
    assert own["2"].index is INDEX


def test_a_query_narrows_what_the_config_keeps_and_does_not_widen_it(host):
    found, _ = ranked(host, {"node_type": ["x", "z"]}, Question("1", "a", filters={"filter": {"any": []}}))
    assert found == [[]]
    found, _ = ranked(host, {"node_type": ["x", "z"]}, Question("1", "a", filters={"filter": {"all": []}}))
    assert found == [["a", "c"]]


def test_a_rule_of_a_gate_holds_during_the_walk(host):
    gate = ComponentSpec("filter", "rules", RulesParams.model_validate({"rule": {"all": []}}))
    expand = ComponentSpec("expander", "bfs", BreadthFirstParams(gate="gate"))
    question = Question("1", "a", filters={"gate": {"not": {"node_type": ["z"]}}})
    found, _ = ranked(host, {"all": []}, question, expand=expand, gate=gate)
    assert found == [["a", "b", "d"]]
    hop = Question("1", "a", filters={"gate": {"hop": {"max": 1}}})
    with pytest.raises(DatasetError, match="cannot be a gate"):
        ranked(host, {"all": []}, hop, expand=expand, gate=gate)


@pytest.mark.parametrize(
    ("filters", "what", "hint"),
    [
        ({"fliter": {"all": []}}, "There is no slot 'fliter'", "filter"),
        ({"score": {"all": []}}, "takes no rules", "filter"),
        ({"filter": {"node_typ": ["x"]}}, "The rule is wrong at node_typ", ""),
        ({"filter": {}}, "^The rule is wrong: no rule in here", ""),
        ({"filter": {"hop": {"min": 2, "max": 1}}}, "at hop: min 2 is more than max 1, so nothing fits", ""),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_runs(host, filters, what, hint):
    with pytest.raises(DatasetError, match=what) as caught:
        ranked(host, {"all": []}, Question("ok", "a"), Question("no", "a", filters=filters))
    assert caught.value.where.startswith("query 'no', filters")
    assert hint in caught.value.hint


def test_a_slot_without_rules_says_how_to_get_one(host):
    reference = reference_spec()
    pipeline = pipeline_of(INDEX, host=host)
    asked = (Question("q", "a", filters={"filter": {"all": []}}),)
    with pytest.raises(DatasetError) as caught:
        narrowed(pipeline, reference, host, asked)
    assert "'zachman', which takes no rules" in caught.value.what
    assert "filter=rules" in caught.value.hint
