"""From a specification to steps, and what is refused before anything runs."""

from __future__ import annotations

import pytest

from graphrag_pipeline import BridgeParams, ConfigError, PluginError, ScorerParams
from graphrag_pipeline.pipeline.plan import order_problems
from graphrag_pipeline.pipeline.spec import REFERENCE_ORDER, SLOT_KINDS, ComponentSpec
from graphrag_pipeline.stages.context.bullets import BulletsParams
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSumParams
from graphrag_pipeline.stages.seeds.label import LabelSeeds
from tests.tiny import Answering, graph_of, pipeline_of

GRAPH = graph_of("a")


def problems(order: str) -> list[str]:
    return [str(problem.what) for problem in order_problems(order.split(), SLOT_KINDS)]


@pytest.mark.parametrize(
    "order",
    [
        " ".join(REFERENCE_ORDER),
        "seed",
        "seed context",
        "seed expand score context",
        "seed score expand score context context",
        "seed seed expand",
        "seed bridge filter",
        "seed expand seed context",
    ],
)
def test_an_order_that_starts_with_a_seed_and_ends_with_the_context_is_right(order):
    assert problems(order) == []
    pipeline_of(GRAPH, order).run("a")


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("", ["the order is empty"]),
        ("score seed context", ["score needs candidates, and no slot before it gives any"]),
        (
            "bridge filter",
            [f"{slot} needs candidates, and no slot before it gives any" for slot in ("bridge", "filter")],
        ),
        (
            "seed context filter",
            ["filter comes after context: the context would show what filter changes afterwards"],
        ),
        ("context seed", ["context needs candidates, and no slot before it gives any"]),
    ],
)
def test_an_order_that_cannot_work_is_refused_with_each_mistake(order, found):
    assert problems(order)[: len(found)] == found
    with pytest.raises(ConfigError) as error:
        pipeline_of(GRAPH, order)
    assert {problem.key for problem in error.value.problems} == {"pipeline.order"}


def test_a_slot_that_is_not_there_is_named_once_with_the_slots_there_are():
    with pytest.raises(ConfigError) as error:
        pipeline_of(GRAPH, "seed expnd expnd context")
    (problem,) = error.value.problems
    assert problem.what == "'expnd' is not a slot"
    assert problem.hint == "Slots: seed, expand, filter, score, bridge, context."


def test_an_object_for_a_slot_outside_the_order_is_refused():
    with pytest.raises(ConfigError, match="an object was given for a slot that is not in the order") as error:
        pipeline_of(GRAPH, "seed context", given={"bridge": Answering()})
    assert error.value.problems[0].key == "bridge"


def test_a_slot_twice_is_one_component():
    steps = pipeline_of(GRAPH).plan.steps
    assert [step.place.slot for step in steps] == list(REFERENCE_ORDER)
    assert steps[2] is steps[5]


def test_an_object_takes_a_slots_place_and_is_named_by_its_class():
    places = [step.place for step in pipeline_of(GRAPH, given={"seed": LabelSeeds()}).plan.steps]
    assert places[0].use == "graphrag_pipeline.stages.seeds.label.LabelSeeds"
    assert places[0].kind == "seed_retriever"
    assert places[1].use == "bfs"


def test_an_object_keeps_its_slots_parameters():
    bridge = Answering({"nodes": [{"node_id": "x", "node_type": "t", "label": "X"}]})
    pipeline = pipeline_of(GRAPH, given={"bridge": bridge}, params={"bridge": BridgeParams(extra_score=0.9)})
    assert dict(pipeline.run("a").scored)["x"] == 0.9


def test_an_unknown_component_is_refused_with_the_names_there_are():
    with pytest.raises(PluginError, match="labl"):
        pipeline_of(GRAPH, slots={"seed": ComponentSpec("seed_retriever", "labl", LabelSeeds.Params())})


def test_an_unknown_signal_is_refused():
    with pytest.raises(PluginError, match="centrality"):
        pipeline_of(GRAPH, params={"score": WeightedSumParams(weights={"centrality": 1.0})})


def test_an_unknown_token_counter_is_refused():
    with pytest.raises(PluginError, match="tiktoken"):
        pipeline_of(GRAPH, params={"context": BulletsParams(counter="tiktoken")})


@pytest.mark.parametrize("kind", ["signal", "graph_source", "metric"])
def test_a_kind_that_is_no_stage_cannot_fill_a_slot(kind):
    use, params = {
        "signal": ("baseline", ScorerParams()),
        "graph_source": ("demo", ScorerParams()),
        "metric": ("mrr", ScorerParams()),
    }[kind]
    with pytest.raises(PluginError):
        pipeline_of(GRAPH, "seed odd", slots={"odd": ComponentSpec(kind, use, params)})


def test_slots_may_have_names_of_their_own():
    slots = {"early": ComponentSpec("scorer", "weighted_sum", WeightedSumParams(weights={"baseline": 0.3}))}
    trace = pipeline_of(GRAPH, "seed early context", slots=slots).trace("a")
    assert trace.result.scored == (("a", 0.3),)
    assert [step.slot for step in trace.slots] == ["seed", "early", "context"]
