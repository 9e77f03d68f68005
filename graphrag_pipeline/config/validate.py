"""Validate the whole tree once, and report every mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pydantic import BaseModel

from graphrag_pipeline.config.components import STAGE_KINDS, check_component
from graphrag_pipeline.config.filling import fill
from graphrag_pipeline.config.memory import Memory, Part
from graphrag_pipeline.config.messages import did_you_mean, nearest
from graphrag_pipeline.config.model_check import check, origin_of
from graphrag_pipeline.config.models import (
    DatasetSection,
    IndexSection,
    PipelineSection,
    PluginsSection,
    QuerySection,
)
from graphrag_pipeline.config.plugin_section import plugin_notes, plugin_problems
from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.slots import CheckedSlot, check_slot
from graphrag_pipeline.config.trackers import TRACKERS, check_trackers
from graphrag_pipeline.config.tree import (
    NOWHERE,
    Branch,
    Items,
    Leaf,
    Node,
    Path,
    describe,
    dotted,
    find,
    leaves,
)
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.graph.text.links import LinkSettings
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.pipeline.gates import gate_problems
from graphrag_pipeline.pipeline.plan import order_problems
from graphrag_pipeline.pipeline.policies import policy_problems
from graphrag_pipeline.pipeline.spec import SLOT_KINDS, ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost

SECTIONS: Mapping[str, type[BaseModel]] = {
    "query": QuerySection,
    "pipeline": PipelineSection,
    "plugins": PluginsSection,
    "index": IndexSection,
    "text": TextSettings,
    "links": LinkSettings,
    "dataset": DatasetSection,
}
SOURCES: Mapping[str, str] = {"graph": "graph_source", "personas": "persona_source"}
FORBIDDEN = ("_target_", "_partial_", "_args_", "_recursive_", "_convert_")
"""Keys by which Hydra calls code; a config is data."""


@dataclass(slots=True)
class Validated:
    """A validated config; the parts are complete when there are no problems.

    Args:
        sections: The parts no component owns, by name.
        components: Graph, personas and slots, by name.
        trackers: Who is told of a run, by name.
        tree: Every value in force, as plain data.
        origins: Where each value comes from.
        problems: What is wrong.
        notes: What is worth knowing and not wrong.
    """

    sections: dict[str, BaseModel] = field(default_factory=dict)
    components: dict[str, ComponentSpec] = field(default_factory=dict)
    trackers: dict[str, ComponentSpec] = field(default_factory=dict)
    tree: dict[str, Any] = field(default_factory=dict)  # Any: plain data
    origins: dict[str, Origin] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def validate(
    tree: Branch, host: PluginHost, groups: Sequence[str] = (), memory: Memory | None = None
) -> Validated:
    """Check a resolved tree.

    Args:
        tree: The values.
        host: Where components are.
        groups: Names of config groups, for messages.
        memory: What is known of parts that other trees share with this one.
    """
    memory = memory or Memory()
    result = Validated(problems=list(_code_in_data(tree)))
    if result.problems:
        tree = _without_code(tree)
    for name, model in SECTIONS.items():
        node = tree.children.get(name, Branch())
        _take(name, memory.part((name,), node, partial(_section, name, model)), result)
    for name, kind in SOURCES.items():
        source = tree.children.get(name)
        if isinstance(source, Branch):
            _take(name, memory.part((name, kind), source, partial(_component, name, kind, host)), result)
        else:
            result.problems.append(_absent_source(name, source))
    result.problems += plugin_problems(tree, host)
    result.notes += plugin_notes(tree, host)
    _trackers(tree, host, result)
    kinds = _slots(tree, host, groups, result, memory)
    result.problems += _order(result, tree, kinds)
    result.problems += _gates(result, kinds)
    result.tree = {name: result.tree[name] for name in _in_order(result.tree)}
    return result


def _take(name: str, part: Part, result: Validated) -> None:
    result.problems += part.problems
    if isinstance(part.made, ComponentSpec):
        result.components[name] = part.made
    elif part.made is not None:
        result.sections[name] = part.made
    if part.made is not None:
        result.tree[name] = part.tree
        result.origins.update(part.origins)


def _in_order(tree: Mapping[str, Any]) -> list[str]:
    first = ["query", "graph", "personas", "pipeline", *SLOT_KINDS]
    return [name for name in first if name in tree] + sorted(name for name in tree if name not in first)


def _section(name: str, model: type[BaseModel], node: Node) -> Part:
    if not isinstance(node, Branch):
        what = f"must be a mapping of keys to values, got {describe(node)}"
        hint = f"keys: {', '.join(model.model_fields)}"
        return Part((Problem(name, what, origin_of(node), hint),))
    checked = check(model, node, (name,), name)
    if checked.params is None:
        return Part(checked.problems)
    origins: dict[str, Origin] = {}
    values = fill(checked.params, checked.node, (name,), name, origins)
    return Part(checked.problems, checked.params, values, origins)


def _trackers(tree: Branch, host: PluginHost, result: Validated) -> None:
    checked = check_trackers(tree.children.get(TRACKERS), host)
    result.problems += checked.problems
    result.trackers = checked.specs
    result.origins.update(checked.origins)
    result.tree[TRACKERS] = checked.tree


def _absent_source(name: str, node: Node | None) -> Problem:
    if node is None:
        return Problem(name, "is required", hint=f"choose one: {name}=OPTION")
    return Problem(name, f"must be a mapping with use: NAME, got {describe(node)}", origin_of(node))


def _component(name: str, kind: str, host: PluginHost, node: Branch) -> Part:
    if kind in STAGE_KINDS:
        slot = check_slot(name, node, kind, host)
    else:
        slot = CheckedSlot(check_component(name, node, kind, host))
    checked = slot.component
    if checked.spec is None or checked.use is None:
        return Part(checked.problems)
    origins = {f"{name}.use": checked.use.origin, **slot.origins}
    values = fill(checked.spec.params, checked.node, (name,), checked.spec.use, origins)
    shown = checked.use.value if checked.use.shown is None else checked.use.shown
    return Part(checked.problems, checked.spec, {"use": shown, **slot.tree, **values}, origins)


# -- slots --------------------------------------------------------------------------------------


def _slots(
    tree: Branch, host: PluginHost, groups: Sequence[str], result: Validated, memory: Memory
) -> dict[str, str]:
    """Check every slot; return the kind of each whose kind is known."""
    kinds: dict[str, str] = {}
    for name, node in tree.children.items():
        if name in SECTIONS or name in SOURCES or name == TRACKERS:
            continue
        if not isinstance(node, Branch) or "use" not in node.children:
            result.problems.append(_not_a_slot(name, node, tree, groups))
            if name in SLOT_KINDS:
                kinds[name] = SLOT_KINDS[name]
            continue
        kind, problem = _kind_of(name, node, host)
        if problem:
            result.problems.append(problem)
        if kind is None:
            continue
        kinds[name] = kind
        _take(name, memory.part((name, kind), node, partial(_component, name, kind, host)), result)
        _keep_kind(name, node, result)
    return kinds


def _keep_kind(name: str, node: Branch, result: Validated) -> None:
    if name in result.tree and isinstance(kind := node.children.get("kind"), Leaf):
        result.tree[name] = {"use": result.tree[name]["use"], "kind": kind.value, **result.tree[name]}
        result.origins[f"{name}.kind"] = kind.origin


def _kind_of(name: str, node: Branch, host: PluginHost) -> tuple[str | None, Problem | None]:
    """Tell a slot's kind: by its name, by its ``kind`` key, or by a component that only one kind has."""
    said, use = node.children.get("kind"), node.children["use"]
    known = f"kinds: {', '.join(STAGE_KINDS)}"
    if said is not None and (not isinstance(said, Leaf) or said.value not in STAGE_KINDS):
        hint = known
        if isinstance(said, Leaf) and (best := nearest(str(said.value), STAGE_KINDS)):
            hint = f"did you mean {best}? {known}"
        return None, Problem(
            f"{name}.kind", f"must be a kind of stage, got {describe(said)}", origin_of(said), hint
        )
    told = str(said.value) if isinstance(said, Leaf) else None
    if name in SLOT_KINDS:
        kind = SLOT_KINDS[name]
        if told not in (None, kind):
            what = f"the slot {name!r} takes a {kind}, not a {told}"
            return kind, Problem(f"{name}.kind", what, origin_of(said), "give the slot another name")
        return kind, None
    if told is not None:
        return told, None
    component = str(use.value).rpartition(":")[2] if isinstance(use, Leaf) else ""
    found = [kind for kind in host.kinds_of(component) if kind in STAGE_KINDS]
    if len(found) == 1:
        return found[0], None
    what = f"the kind of the slot {name!r} is not clear: "
    what += (
        f"{component!r} is a {' and a '.join(found)}"
        if found
        else f"no kind of stage has a component {component!r}"
    )
    every = [part for kind in STAGE_KINDS for part in host.components(kind)]
    hint = f"say kind: KIND; {known}"
    if not found and (best := nearest(component, every)):
        hint = f"did you mean use: {best}? Or {hint}"
    return None, Problem(f"{name}.use", what, origin_of(use), hint)


def _not_a_slot(name: str, node: Node, tree: Branch, groups: Sequence[str]) -> Problem:
    """Word a top-level node that nothing knows: mostly a misspelt one."""
    slots = [
        key for key, item in tree.children.items() if isinstance(item, Branch) and "use" in item.children
    ]
    known = dict.fromkeys([*SECTIONS, TRACKERS, *SOURCES, *SLOT_KINDS, *slots])
    inner = [path for path, _ in leaves(node) if not any(isinstance(step, int) for step in path)]
    key = dotted((name, *inner[0])) if len(inner) == 1 and inner[0] else name
    if name in SLOT_KINDS:
        what = (
            "the slot has no component"
            if isinstance(node, Branch)
            else f"must be a mapping, got {describe(node)}"
        )
        return Problem(
            name if name == key else key,
            what,
            origin_of(node),
            f"say {name}.use=NAME, or choose {name}=OPTION",
        )
    if name == "hydra":
        return Problem(key, "Hydra's own settings have no effect here", origin_of(node), "take them away")
    best = nearest(name, [*known, *groups])
    if name in groups and isinstance(node, Branch):
        what, hint = f"{name!r} is a group, not a slot", "start that file with the line '# @package _global_'"
        return Problem(name, what, origin_of(node), hint)
    what = (
        f"unknown key, set to {describe(node)}" if isinstance(node, Leaf | Items) else f"unknown key {name!r}"
    )
    hint = f"did you mean {key.replace(name, best, 1)}?" if best else ""
    if isinstance(node, Branch) and not best:
        hint = f"a slot needs {name}.use=NAME; other top-level keys: {', '.join(known)}"
    return Problem(key, what, origin_of(node), hint or f"top-level keys: {', '.join(known)}")


# -- order --------------------------------------------------------------------------------------


def _order(result: Validated, tree: Branch, kinds: Mapping[str, str]) -> Iterable[Problem]:
    section = result.sections.get("pipeline")
    if not isinstance(section, PipelineSection):
        return
    origin = str(result.origins["pipeline.order"])
    slots = [name for name in tree.children if name not in (*SECTIONS, *SOURCES, TRACKERS)]
    for name in dict.fromkeys(section.order):
        if name not in slots:
            hint = did_you_mean(name, slots, "slots")
            shown = describe(
                find(tree, ("pipeline", "order", section.order.index(name))) or Leaf(name, NOWHERE)
            )
            yield Problem("pipeline.order", f"{shown} is not a slot", origin, hint)
    if all(name in kinds for name in section.order):
        for problem in order_problems(section.order, kinds):
            yield Problem(problem.key, problem.what, problem.origin or origin, problem.hint)


def _gates(result: Validated, kinds: Mapping[str, str]) -> Iterable[Problem]:
    slots = {name: spec for name, spec in result.components.items() if name in kinds}
    section = result.sections.get("pipeline")
    order = section.order if isinstance(section, PipelineSection) else tuple(slots)
    for problem in [*gate_problems(slots, kinds), *policy_problems(order, slots)]:
        yield replace(problem, origin=str(result.origins.get(problem.key, "")))


# -- code ---------------------------------------------------------------------------------------


def _code_in_data(node: Node, path: Path = ()) -> Iterable[Problem]:
    if isinstance(node, Items):
        for at, item in enumerate(node.items):
            yield from _code_in_data(item, (*path, at))
    elif isinstance(node, Branch):
        for key, item in node.children.items():
            if key in FORBIDDEN:
                hint = "configs are data; components are chosen by name: use: NAME"
                yield Problem(dotted((*path, key)), "a config cannot name code to run", origin_of(item), hint)
            yield from _code_in_data(item, (*path, key))


def _without_code(tree: Branch) -> Branch:
    """Leave out what is reported already, so that it is not reported as an unknown key again."""
    kept = _clean(tree)
    assert isinstance(kept, Branch)
    return kept


def _clean(node: Node) -> Node:
    if isinstance(node, Items):
        return Items(tuple(_clean(item) for item in node.items), node.origin)
    if isinstance(node, Branch):
        children = {key: _clean(item) for key, item in node.children.items() if key not in FORBIDDEN}
        emptied = [
            key for key, item in children.items() if item == Branch(origin=item.origin) != node.children[key]
        ]
        return Branch({key: item for key, item in children.items() if key not in emptied}, node.origin)
    return node
