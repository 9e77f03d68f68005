"""Check a slot: its component, and what it says of failures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field, field_validator

from graphrag_pipeline.config.components import CheckedComponent, check_component
from graphrag_pipeline.config.filling import fill
from graphrag_pipeline.config.messages import nearest
from graphrag_pipeline.config.model_check import check, origin_of
from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Branch, Leaf
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS

_FALLBACK = "fallback:"


class FailurePolicy(Params):
    """What happens when the component of a slot fails."""

    on_error: str = "fail"
    """``fail`` ends the query, ``skip`` goes on as if the slot were not there, ``fallback:NAME`` runs another
    component in its place; a bridge is skipped unless it says otherwise."""
    fallback_params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the fallback; what every component of the kind has is taken from the slot."""

    @field_validator("on_error")
    @classmethod
    def _is_known(cls, said: str) -> str:
        if said not in ("fail", "skip") and not re.fullmatch(rf"{_FALLBACK}.+", said):
            best = nearest(said, ("fail", "skip", _FALLBACK + "NAME"))
            raise ValueError(
                f"must be fail, skip or fallback:NAME, got {said!r}"
                + (f"; did you mean {best}?" if best else "")
            )
        return said


class TimedPolicy(FailurePolicy):
    """The same for a kind whose components have no time limit of their own."""

    timeout_s: float | None = Field(default=None, gt=0)
    """Seconds the component may take; what is late has failed, and null means any."""


POLICY_KEYS = tuple(TimedPolicy.model_fields)
"""Keys that every slot takes beside the parameters of its component."""


def policy_of(kind: str) -> type[FailurePolicy]:
    """Return the keys that slots of a kind take; bridges have ``timeout_s`` among their parameters."""
    return FailurePolicy if "timeout_s" in KINDS[kind].params.model_fields else TimedPolicy


@dataclass(frozen=True, slots=True)
class CheckedSlot:
    """A slot of the config.

    Args:
        component: What fills it, with the policy in its spec.
        tree: The policy as it is written, as plain data; empty where none is.
        origins: Where each of its values comes from.
    """

    component: CheckedComponent
    tree: Mapping[str, Any] = field(default_factory=dict)  # Any: plain data
    origins: Mapping[str, Origin] = field(default_factory=dict)


def check_slot(name: str, node: Branch, kind: str, host: PluginHost) -> CheckedSlot:
    """Check a slot that has a known kind."""
    model = policy_of(kind)
    said = {key: item for key, item in node.children.items() if key in model.model_fields}
    rest = Branch({key: item for key, item in node.children.items() if key not in said}, node.origin)
    component = _with_hints(check_component(name, rest, kind, host), model)
    if not said:
        return CheckedSlot(component)
    checked = check(model, Branch(said, node.origin), (name,), name)
    problems = [*component.problems, *checked.problems]
    spec, policy = component.spec, checked.params
    if spec is not None and policy is not None:
        spec, found = _under(policy, spec, name, checked.node, rest, host)
        problems += found
    component = replace(component, spec=None if problems else spec, problems=tuple(problems))
    if problems or policy is None:
        return CheckedSlot(component)
    origins: dict[str, Origin] = {}
    values = fill(policy, checked.node, (name,), name, origins)
    written = {
        key: origin for key, origin in origins.items() if key[len(name) + 1 :].partition(".")[0] in said
    }
    return CheckedSlot(component, {key: values[key] for key in values if key in said}, written)


def _under(
    policy: FailurePolicy, spec: ComponentSpec, name: str, node: Branch, rest: Branch, host: PluginHost
) -> tuple[ComponentSpec, list[Problem]]:
    """Return a component with the policy it is under, and what is wrong with that."""
    spec = replace(spec, timeout_s=policy.timeout_s if isinstance(policy, TimedPolicy) else None)
    if policy.on_error.startswith(_FALLBACK):
        use = policy.on_error.removeprefix(_FALLBACK)
        fallback, problems = _fallback(name, spec, node, use, rest, host)
        return replace(spec, on_error="fallback", fallback=fallback), problems
    if policy.fallback_params:
        what = "there is no fallback that these parameters could be for"
        at = origin_of(node.children["fallback_params"])
        return spec, [Problem(f"{name}.fallback_params", what, at, _hint(name))]
    if "on_error" in node.children:
        spec = replace(spec, on_error="skip" if policy.on_error == "skip" else "fail")
    return spec, []


def _with_hints(component: CheckedComponent, model: type[FailurePolicy]) -> CheckedComponent:
    """Tell of the slot's own keys where an unknown one is like them."""
    problems = tuple(
        replace(problem, hint=f"did you mean {best}? Every slot takes it")
        if problem.what.startswith("unknown key")
        and (best := nearest(problem.key.rpartition(".")[2], model.model_fields, 0.75))
        else problem
        for problem in component.problems
    )
    return replace(component, problems=problems)


def _fallback(
    name: str, spec: ComponentSpec, policy: Branch, use: str, rest: Branch, host: PluginHost
) -> tuple[ComponentSpec | None, list[Problem]]:
    """Return the component that a policy names, and what is wrong with it.

    Args:
        name: The slot.
        spec: What fills it.
        policy: The slot's own keys.
        use: Name of the fallback.
        rest: The slot's other keys.
        host: Where components are.
    """
    at, key = policy.children["on_error"], f"{name}.fallback_params"
    given = policy.children.get("fallback_params", Branch(origin=at.origin))
    assert isinstance(given, Branch), "the model takes a mapping only"
    if "use" in given.children:
        what = "the fallback is named in on_error"
        return None, [Problem(f"{key}.use", what, origin_of(given), _hint(name))]
    # A gate, a budget or weights are the slot's, whichever component works by them.
    shared = KINDS[spec.kind].params.model_fields
    children = {key: item for key, item in rest.children.items() if key in shared} | given.children
    wanted = Branch({"use": Leaf(use, at.origin), **children}, at.origin)
    checked = check_component(key, wanted, spec.kind, host)
    if checked.spec is None:
        renamed = {f"{key}.use": f"{name}.on_error"}
        return None, [replace(each, key=renamed.get(each.key, each.key)) for each in checked.problems]
    if host.find(spec.kind, use).qualified == host.find(spec.kind, spec.use).qualified:
        what = f"{use!r} is what fills the slot, so it cannot stand in for itself"
        others = ", ".join(other for other in host.components(spec.kind) if other != spec.use)
        return None, [Problem(f"{name}.on_error", what, str(at.origin), f"others: {others}")]
    return checked.spec, []


def _hint(name: str) -> str:
    return f"{name}.on_error={_FALLBACK}NAME"
