"""Reading what a plugin offers, all of it, before any of it counts."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pluggy

from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.component_checks import component_faults
from graphrag_pipeline.plugin.hook_checks import Specs, read_hooks
from graphrag_pipeline.plugin.hookspecs import CONFIG_HOOK
from graphrag_pipeline.plugin.kinds import KINDS, Kind

Call = Callable[[str, Callable[[], object]], object]
"""Calls a registration hook, given its name and its function."""

_KIND_OF_HOOK = {kind.hook: kind for kind in KINDS.values()}


@dataclass(slots=True)
class Contents:
    """What one plugin offers, and every fault found in it.

    Args:
        hooks: Names of the hooks it implements, sorted.
        classes: Its component classes with their kinds, as it gave them.
        config_paths: Its directories of YAML config groups.
        faults: A line for each fault; with any of them, the plugin must not be used.
    """

    hooks: tuple[str, ...] = ()
    classes: list[tuple[Kind, type]] = field(default_factory=list)
    config_paths: list[Path] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def _plainly(_hook: str, function: Callable[[], object]) -> object:
    return function()


def read_contents(
    plugin: object, manager: pluggy.PluginManager, specs: Specs, call: Call = _plainly
) -> Contents:
    """Call a plugin's registration hooks and check all they give. Registers nothing."""
    hooks, faults = read_hooks(plugin, manager, specs)
    contents = Contents(tuple(sorted({hook.name for hook in hooks})), faults=faults)
    for hook in hooks:
        if hook.name in _KIND_OF_HOOK:
            _read_components(contents, _KIND_OF_HOOK[hook.name], partial(call, hook.name, hook.function))
        elif hook.name == CONFIG_HOOK:
            _read_config_paths(contents, partial(call, hook.name, hook.function))
    return contents


def _read_components(contents: Contents, kind: Kind, function: Callable[[], object]) -> None:
    for cls in _listed(contents, kind.hook, "classes", function):
        faults = component_faults(cls, kind)
        contents.faults += faults
        if faults or not isinstance(cls, type):
            continue
        name = component_name(cls)
        if any(other is kind and component_name(known) == name for other, known in contents.classes):
            contents.faults.append(f"{kind.hook} gave two classes of the name {name!r}")
        else:
            contents.classes.append((kind, cls))


def component_name(cls: type) -> str:
    """Return the component name of a class."""
    return str(getattr(cls, "name", ""))


def _read_config_paths(contents: Contents, function: Callable[[], object]) -> None:
    for path in _listed(contents, CONFIG_HOOK, "directories", function):
        if not isinstance(path, str | os.PathLike):
            contents.faults.append(f"{CONFIG_HOOK} gave {path!r:.80}, which is not a path")
        elif (folder := Path(os.fsdecode(path))).is_dir():
            contents.config_paths.append(folder)
        else:
            contents.faults.append(f"{CONFIG_HOOK} gave {folder}, which is not an existing directory")


def _listed(contents: Contents, hook: str, what: str, function: Callable[[], object]) -> list[object]:
    try:
        given = function()
        if isinstance(given, str | bytes) or not hasattr(given, "__iter__") or isinstance(given, type):
            contents.faults.append(f"{hook} must return a list of {what}, not {given!r:.80}")
            return []
        return list(given)
    except plugin_errors() as error:
        where = place(error)
        contents.faults.append(f"{hook} raised {cause(error)}{f' ({where})' if where else ''}")
        return []
