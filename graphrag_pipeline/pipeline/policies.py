"""What slots say of failures, checked before anything is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graphrag_pipeline.errors import Problem
from graphrag_pipeline.pipeline.gates import gate_of, gate_problems
from graphrag_pipeline.pipeline.spec import ComponentSpec, OnError


def on_error_of(spec: ComponentSpec) -> OnError:
    """Return what happens when the component of a slot fails."""
    return spec.on_error or ("skip" if spec.kind == "bridge" else "fail")


def needs_guard(spec: ComponentSpec) -> bool:
    """Whether a slot asks for more than its step does by itself."""
    usual = replace(spec, on_error=None)
    return spec.timeout_s is not None or on_error_of(spec) != on_error_of(usual)


def policy_problems(order: Sequence[str], slots: Mapping[str, ComponentSpec]) -> list[Problem]:
    """Return what is wrong with what slots say of failures.

    Args:
        order: Slot names.
        slots: The component of each slot that is valid by itself.
    """
    found = [problem for slot, spec in slots.items() for problem in _problems(slot, spec, slots)]
    return found + list(_gates_alone(order, slots))


def _problems(slot: str, spec: ComponentSpec, slots: Mapping[str, ComponentSpec]) -> Iterator[Problem]:
    key, fallback = f"{slot}.on_error", spec.fallback
    if spec.timeout_s is not None and spec.kind == "bridge":
        yield Problem(f"{slot}.timeout_s", "a bridge has its time limit among its parameters")
    elif spec.timeout_s is not None and not spec.timeout_s > 0:
        yield Problem(f"{slot}.timeout_s", f"must be greater than 0, got {spec.timeout_s}")
    if (spec.on_error == "fallback") != (fallback is not None):
        yield Problem(key, "a fallback needs a component", hint="on_error=fallback:NAME")
    if fallback is None:
        return
    if fallback.kind != spec.kind:
        ours, theirs = spec.kind.replace("_", " "), fallback.kind.replace("_", " ")
        yield Problem(key, f"{fallback.use!r} is of the kind {theirs}, and the slot has the kind {ours}")
    if fallback.on_error or fallback.timeout_s or fallback.fallback:
        yield Problem(key, "a fallback has no failure policy of its own", hint="its slot's time limit holds")
    kinds = {name: each.kind for name, each in slots.items()}
    if gate_of(fallback) and gate_of(fallback) != gate_of(spec):
        for problem in gate_problems({**slots, slot: fallback}, kinds):
            if problem.key == f"{slot}.gate":
                yield replace(problem, key=f"{slot}.fallback_params.gate")


def _gates_alone(order: Sequence[str], slots: Mapping[str, ComponentSpec]) -> Iterator[Problem]:
    """Yield a problem for each policy of a filter that only is a gate: nothing would ever follow it."""
    for slot, spec in slots.items():
        gate = gate_of(spec) or ""
        if gate in slots and gate not in order and needs_guard(slots[gate]):
            said = "on_error" if slots[gate].on_error else "timeout_s"
            what = f"{gate!r} is a gate and not in pipeline.order, so its own policy has no effect"
            yield Problem(
                f"{gate}.{said}", what, hint=f"a gate that fails is a failure of {slot}: say {slot}.{said}"
            )
