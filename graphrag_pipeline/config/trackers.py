"""Check the section ``trackers``: which trackers are told of a run, and their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphrag_pipeline.config.components import find_component
from graphrag_pipeline.config.filling import fill
from graphrag_pipeline.config.model_check import check, origin_of
from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Branch, Leaf, Node, describe
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.jsonl import JsonLinesParams

TRACKERS = "trackers"
"""The section, and the group whose options fill it."""
BY_DEFAULT = "jsonl"
"""The tracker of a config without the section."""


@dataclass(slots=True)
class CheckedTrackers:
    """The trackers of a config, in order.

    Args:
        specs: The trackers by the name that the config gives them.
        tree: Every value in force.
        origins: Where each value comes from.
        problems: What is wrong.
    """

    specs: dict[str, ComponentSpec] = field(default_factory=dict)
    tree: dict[str, Any] = field(default_factory=dict)  # Any: plain data
    origins: dict[str, Origin] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def check_trackers(node: Node | None, host: PluginHost) -> CheckedTrackers:
    """Check the section; one that is not there has the tracker :data:`BY_DEFAULT`, an empty one has none.

    A key is the name of a tracker, or any name with the tracker's under ``use``.
    """
    found = CheckedTrackers()
    if node is None:
        node = Branch({BY_DEFAULT: Branch()})
    if not isinstance(node, Branch):
        what = f"must be a mapping of trackers to their parameters, got {describe(node)}"
        found.problems.append(Problem(TRACKERS, what, origin_of(node), _hint(host)))
        return found
    for name, given in node.children.items():
        if isinstance(given, Branch):
            _check_one(name, given, host, found)
        else:
            what = f"must be a mapping of parameters, got {describe(given)}"
            hint = f"{TRACKERS}.{name}={{}} takes the defaults; ~{TRACKERS}.{name} leaves it out"
            found.problems.append(Problem(f"{TRACKERS}.{name}", what, origin_of(given), hint))
    found.problems += _files_of_two(node, found.specs)
    return found


def _files_of_two(node: Branch, specs: Mapping[str, ComponentSpec]) -> Iterator[Problem]:
    """Yield a problem for each tracker that writes to the file of one before it."""
    owners: dict[str, str] = {}
    for name, spec in specs.items():
        if not isinstance(spec.params, JsonLinesParams):
            continue
        # On some systems, names that differ in case alone are those of one file.
        owner = owners.setdefault(spec.params.file.casefold(), name)
        if owner != name:
            given = node.children[name]
            path = given.children.get("path") if isinstance(given, Branch) else None
            twice = "each event would be there twice"
            what = f"writes to {spec.params.file}, as {TRACKERS}.{owner} does: {twice}"
            hint = f"{TRACKERS}.{name}.path={name}.jsonl names another file; ~{TRACKERS}.{name} leaves it out"
            yield Problem(f"{TRACKERS}.{name}.path", what, origin_of(path or given), hint)


def _check_one(name: str, node: Branch, host: PluginHost, found: CheckedTrackers) -> None:
    key: tuple[str, ...] = (TRACKERS, name)
    said = node.children.get("use")
    params = Branch({each: item for each, item in node.children.items() if each != "use"}, node.origin)
    use, named, at = name, said or node, key
    if said is not None:
        at = (*key, "use")
        if not isinstance(said, Leaf) or not isinstance(said.value, str) or said.is_missing:
            what = f"must be the name of a tracker, got {describe(said)}"
            found.problems.append(Problem(".".join(at), what, origin_of(said), _hint(host)))
            return
        use = said.value
    info, problem = find_component("tracker", use, at, named, host)
    if info is None:
        found.problems += [problem] if problem else []
        return
    checked = check(info.params, params, key, info.name)
    found.problems += checked.problems
    if checked.params is None:
        return
    found.specs[name] = ComponentSpec("tracker", use, checked.params)
    values = fill(checked.params, checked.node, key, use, found.origins)
    if isinstance(said, Leaf):
        found.origins[".".join(at)] = said.origin
        values = {"use": use if said.shown is None else said.shown, **values}
    found.tree[name] = values


def _hint(host: PluginHost) -> str:
    return f"trackers: {', '.join(host.components('tracker'))}; {TRACKERS}=none has none"


def without_trackers(tree: Mapping[str, Any]) -> dict[str, Any]:  # Any: plain data
    """Return the part of a config that results depend on: who is told of a run changes nothing in it."""
    return {name: value for name, value in tree.items() if name != TRACKERS}


def chooses_trackers(override: str) -> bool:
    """Whether an override is about trackers, and so about nothing that a result depends on."""
    key = override.lstrip("+~").partition("=")[0].strip()
    return key == TRACKERS or key.startswith(f"{TRACKERS}.")
