"""From a specification to steps that are ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from graphrag_pipeline.errors import ConfigError, PluginError, Problem
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.pipeline.gates import gate_of, gate_problems
from graphrag_pipeline.pipeline.making import make
from graphrag_pipeline.pipeline.policies import needs_guard, on_error_of, policy_problems
from graphrag_pipeline.pipeline.spec import SLOT_KINDS, ComponentSpec, PipelineSpec
from graphrag_pipeline.pipeline.steps.bridge import BridgeStep
from graphrag_pipeline.pipeline.steps.context import ContextStep
from graphrag_pipeline.pipeline.steps.expand import ExpandStep
from graphrag_pipeline.pipeline.steps.filter import FilterStep
from graphrag_pipeline.pipeline.steps.gate import SlotGate
from graphrag_pipeline.pipeline.steps.guarded import GuardedStep
from graphrag_pipeline.pipeline.steps.rerank import RerankStep
from graphrag_pipeline.pipeline.steps.score import ScoreStep
from graphrag_pipeline.pipeline.steps.seed import SeedStep
from graphrag_pipeline.pipeline.steps.step import Place, Step
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.stages.bridges.call import BridgeCaller
from graphrag_pipeline.stages.contract import (
    Bridge,
    BridgeParams,
    ContextAssembler,
    ContextParams,
    Expander,
    ExpanderParams,
    Scorer,
    ScorerParams,
    SeedParams,
    SeedRetriever,
    Signal,
    TokenCounter,
)

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost

ORDER_KEY = "pipeline.order"


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a pipeline, in running order; a slot that appears twice is one component run twice."""

    steps: tuple[Step, ...]


def order_problems(order: Sequence[str], kinds: Mapping[str, str]) -> list[Problem]:
    """Return what is wrong with an order before anything is built.

    Every stage but a seed retriever works on candidates, so one must come first; nothing may change
    the candidates after the context was written from them.

    Args:
        order: Slot names.
        kinds: The kind of each slot; slots missing here are reported elsewhere and skipped.
    """
    if not order:
        return [Problem(ORDER_KEY, "the order is empty", hint="For example [seed, expand, score, context].")]
    known = [(slot, kinds[slot]) for slot in order if slot in kinds]
    problems = []
    seeded, written = False, ""
    for slot, kind in known:
        seeded |= kind == "seed_retriever"
        if not seeded and len(known) == len(order):
            problems.append(
                Problem(
                    ORDER_KEY,
                    f"{slot} needs candidates, and no slot before it gives any",
                    hint="Start the order with a seed slot.",
                )
            )
        if written and kind != "context_assembler":
            problems.append(
                Problem(
                    ORDER_KEY,
                    f"{slot} comes after {written}: the context would show what {slot} changes afterwards",
                    hint=f"Move {written} to the end of the order.",
                )
            )
        written = slot if kind == "context_assembler" else written
    return problems


def build_plan(spec: PipelineSpec, host: PluginHost, given: Mapping[str, object] | None = None) -> Plan:
    """Build the component of every slot in the order, once each.

    Args:
        spec: What to build.
        host: Where components come from.
        given: Ready objects that take a slot's place, by slot; the slot keeps its kind and parameters.

    Raises:
        ConfigError: The order cannot work, or names a slot that is not there.
        PluginError: A component is unknown or cannot be built.
    """
    objects = dict(given or {})
    kinds = {slot: component.kind for slot, component in spec.slots.items()}
    problems = [
        Problem(ORDER_KEY, f"{slot!r} is not a slot", hint=f"Slots: {', '.join(spec.slots)}.")
        for slot in dict.fromkeys(spec.order)
        if slot not in kinds
    ]
    problems += [
        Problem(
            slot,
            "an object was given for a slot that is not in the order",
            hint=f"Order: {', '.join(spec.order)}.",
        )
        for slot in objects
        if slot not in spec.order and slot not in map(gate_of, spec.slots.values())
    ]
    problems += order_problems(spec.order, kinds)
    problems += gate_problems(spec.slots, kinds)
    problems += policy_problems(spec.order, spec.slots)
    if problems:
        raise ConfigError(problems)
    built = {slot: build_step(slot, spec, host, objects) for slot in dict.fromkeys(spec.order)}
    return Plan(tuple(built[slot] for slot in spec.order))


def build_step(slot: str, spec: PipelineSpec, host: PluginHost, given: Mapping[str, object]) -> Step:
    """Build the component of one slot, and of the gate it names; see :func:`build_plan`, which checks first.

    Where the slot says what happens on failure, the step is a :class:`GuardedStep` around it.
    """
    own = spec.slots[slot]
    step = _gated(_step(slot, own, host, given.get(slot)), own.params, spec, host, given)
    if not needs_guard(own):
        return step
    if isinstance(step, BridgeStep):
        step = replace(step, goes_on=False)
    spare = None
    if (other := own.fallback) is not None:
        spare = _gated(_step(slot, other, host, None), other.params, spec, host, given)
    return GuardedStep(step, on_error_of(own), own.timeout_s, spare)


def _gated(
    step: Step, params: Params, spec: PipelineSpec, host: PluginHost, given: Mapping[str, object]
) -> Step:
    """Return an expander's step with the gate that its parameters name; any other as it is."""
    if not isinstance(step, ExpandStep) or not isinstance(params, ExpanderParams) or params.gate is None:
        return step
    gate = _step(params.gate, spec.slots[params.gate], host, given.get(params.gate))
    assert isinstance(gate, FilterStep), "gate_problems refuses any other"
    return replace(step, gate=SlotGate(gate.place, gate.component, params.gate_mode))


# Any: the host checked each component against its kind.
_PLAIN: Mapping[str, Callable[[Place, Any], Step]] = {
    "filter": FilterStep,
    "reranker": RerankStep,
}
"""Steps that need nothing but their component."""


def _step(slot: str, spec: ComponentSpec, host: PluginHost, given: object | None) -> Step:
    use = spec.use if given is None else f"{type(given).__module__}.{type(given).__qualname__}"
    place = Place(slot, spec.kind, use)
    component = (
        make(host, spec.kind, spec.use, spec.params) if given is None else _fit(slot, spec.kind, given)
    )
    params = spec.params
    # The host checked each class against its kind, so a cast only tells the type checker what is known.
    if spec.kind == "seed_retriever":
        k = params.k if isinstance(params, SeedParams) else None
        return SeedStep(place, cast("SeedRetriever", component), k)
    if spec.kind in _PLAIN:
        return _PLAIN[spec.kind](place, component)
    if spec.kind == "expander":
        ours = given is None and host.find(spec.kind, spec.use).source == "builtin"
        return ExpandStep(place, cast("Expander", component), trusted=ours)
    if spec.kind == "scorer" and isinstance(params, ScorerParams):
        return ScoreStep(
            place, cast("Scorer", component), _signals(params, host), MappingProxyType(params.weights)
        )
    if spec.kind == "bridge" and isinstance(params, BridgeParams):
        return BridgeStep(
            place, BridgeCaller(cast("Bridge", component), params.timeout_s), params.extra_score
        )
    if spec.kind == "context_assembler" and isinstance(params, ContextParams):
        counter = cast("TokenCounter", _build(host, "token_counter", params.counter, params.counter_params))
        return ContextStep(place, cast("ContextAssembler", component), counter, params.max_tokens)
    raise PluginError(
        f"A {spec.kind} cannot fill a slot.",
        where=f"slot {slot}",
        hint=f"Slots take: {', '.join(dict.fromkeys(SLOT_KINDS.values()))}.",
    )


def _fit(slot: str, kind: str, given: object) -> object:
    """Return an object that a caller gave for a slot, if it has what its kind needs."""
    missing = [name for name in KINDS[kind].methods if not callable(getattr(given, name, None))]
    if not missing and not isinstance(given, type):
        return given
    what = "is a class, not an object" if isinstance(given, type) else f"has no method {', '.join(missing)}"
    raise PluginError(
        f"The object given for a {KINDS[kind].title} {what}.",
        where=f"slot {slot}: {given!r:.60}",
        hint=f"It needs: {', '.join(KINDS[kind].methods)}.",
    )


def _signals(params: ScorerParams, host: PluginHost) -> dict[str, Signal]:
    return {
        name: cast("Signal", _build(host, "signal", name, params.signal_params.get(name, {})))
        for name in params.weights
    }


def _build(host: PluginHost, kind: str, use: str, params: Mapping[str, object]) -> object:
    return make(host, kind, use, host.find(kind, use).params(**params))
