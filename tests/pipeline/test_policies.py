"""What is wrong with failure policies, told before anything is built."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graphrag_pipeline import BridgeParams, ConfigError
from graphrag_pipeline.pipeline.policies import needs_guard, on_error_of, policy_problems
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.stages.expand.bfs import BreadthFirstParams
from graphrag_pipeline.stages.filters.zachman import ZachmanFilterParams
from tests.pipeline.small import small
from tests.tiny import pipeline_of

SLOTS = reference_spec().slots
FILTER = ComponentSpec("filter", "zachman", ZachmanFilterParams())
BRIDGE = ComponentSpec("bridge", "mock", BridgeParams())


def told(slot: str, **policy: Any) -> list[tuple[str, str]]:
    slots = {**SLOTS, slot: replace(SLOTS[slot], **policy)}
    return [(problem.key, problem.what) for problem in policy_problems(("seed", "filter"), slots)]


def test_what_is_usual_needs_no_guard():
    assert not any(map(needs_guard, SLOTS.values()))
    assert [on_error_of(SLOTS[slot]) for slot in ("seed", "bridge")] == ["fail", "skip"]
    assert needs_guard(replace(SLOTS["seed"], on_error="skip"))
    assert needs_guard(replace(SLOTS["seed"], timeout_s=1.0))
    assert needs_guard(replace(SLOTS["bridge"], on_error="fail"))
    assert not needs_guard(replace(SLOTS["bridge"], on_error="skip"))


@pytest.mark.parametrize(
    ("slot", "policy", "key", "what"),
    [
        (
            "bridge",
            {"timeout_s": 1.0},
            "bridge.timeout_s",
            "a bridge has its time limit among its parameters",
        ),
        ("seed", {"timeout_s": 0.0}, "seed.timeout_s", "must be greater than 0, got 0.0"),
        ("seed", {"timeout_s": float("nan")}, "seed.timeout_s", "must be greater than 0, got nan"),
        ("seed", {"on_error": "fallback"}, "seed.on_error", "a fallback needs a component"),
        (
            "filter",
            {"on_error": "skip", "fallback": FILTER},
            "filter.on_error",
            "a fallback needs a component",
        ),
        (
            "filter",
            {"on_error": "fallback", "fallback": BRIDGE},
            "filter.on_error",
            "'mock' is of the kind bridge, and the slot has the kind filter",
        ),
        (
            "filter",
            {"on_error": "fallback", "fallback": replace(FILTER, on_error="skip")},
            "filter.on_error",
            "a fallback has no failure policy of its own",
        ),
        (
            "expand",
            {
                "on_error": "fallback",
                "fallback": ComponentSpec("expander", "bfs", BreadthFirstParams(gate="seed")),
            },
            "expand.fallback_params.gate",
            "a gate is a filter, and 'seed' is a seed retriever",
        ),
    ],
)
def test_a_policy_that_cannot_hold_is_told(slot, policy, key, what):
    assert told(slot, **policy) == [(key, what)]


def test_a_policy_of_a_filter_that_is_only_a_gate_is_told_and_one_in_the_order_is_not():
    gated = replace(SLOTS["expand"], params=BreadthFirstParams(gate="near"))
    slots = {**SLOTS, "expand": gated, "near": replace(FILTER, on_error="skip")}
    [problem] = policy_problems(("seed", "expand"), slots)
    assert (problem.key, "is a gate and not in pipeline.order" in problem.what) == ("near.on_error", True)
    assert policy_problems(("seed", "expand", "near"), slots) == []


def test_a_plan_with_such_a_policy_is_not_built():
    spec = replace(SLOTS["seed"], on_error="fallback")
    with pytest.raises(ConfigError, match="a fallback needs a component"):
        pipeline_of(small(), "seed", slots={"seed": spec})
