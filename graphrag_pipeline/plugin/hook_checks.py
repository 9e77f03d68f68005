"""What is wrong with a plugin's hooks; pluggy would be silent about much of it, or stop at the first."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType

import pluggy

from graphrag_pipeline.plugin.causes import place_of
from graphrag_pipeline.plugin.hookspecs import PREFIX, PROJECT

_MARK = f"{PROJECT}_impl"
Specs = Mapping[str, tuple[str, ...]]
"""The arguments of every hook, by hook name."""


@dataclass(frozen=True, slots=True)
class Hook:
    """A sound implementation of a hook, ready to be called."""

    name: str
    function: FunctionType


def read_hooks(plugin: object, manager: pluggy.PluginManager, specs: Specs) -> tuple[list[Hook], list[str]]:
    """Return a plugin's sound hooks, sorted by name, and a line for each fault."""
    hooks: list[Hook] = []
    faults = list(_unmarked(plugin, specs))
    for attribute in dir(plugin):
        options = manager.parse_hookimpl_opts(plugin, attribute)
        if options is None:
            continue
        function = getattr(plugin, attribute)
        name = options.get("specname") or attribute
        found = list(_faults(name, function, options, specs))
        faults += [fault + _at(function) for fault in found]
        if not found and name in specs:
            hooks.append(Hook(name, function))
    return sorted(hooks, key=lambda hook: hook.name), faults


def _faults(name: str, function: FunctionType, options: pluggy.HookimplOpts, specs: Specs) -> Iterator[str]:
    if name not in specs:
        if not options.get("optionalhook"):
            yield _unknown(name, specs)
        return
    if options.get("wrapper") or options.get("hookwrapper"):
        yield f"{name} is marked as a wrapper; hooks cannot be wrapped, register a component instead"
    known = specs[name]
    for argument in inspect.signature(function).parameters.values():
        if argument.name not in known:
            takes = f"it may take {', '.join(known)}" if known else "it takes none"
            yield f"{name} has the unknown argument {argument.name}; {takes}"
        elif argument.default is not argument.empty or argument.kind is argument.KEYWORD_ONLY:
            # pluggy leaves such arguments out of the call, so the hook would always see the default.
            yield f"{name} would never be given {argument.name}; write it as a plain argument without default"


def _unmarked(plugin: object, specs: Specs) -> Iterator[str]:
    if not isinstance(plugin, ModuleType):
        return
    for name, value in sorted(vars(plugin).items()):
        # Nothing here may ask the value itself: it can be a lazy proxy that raises.
        marked = isinstance(inspect.getattr_static(value, _MARK, None), dict)
        if marked and callable(value) and type(value) is not FunctionType:
            yield f"{name} is marked as a hook and is no function{_at(value)}"
        elif (
            not marked
            and name.startswith(PREFIX)
            and type(value) is FunctionType
            and value.__module__ == plugin.__name__
        ):
            what = f"{name} lacks @hookimpl" if name in specs else _unknown(name, specs)
            yield what + _at(value)


def _unknown(name: str, specs: Specs) -> str:
    full = name if name.startswith(PREFIX) else f"{PREFIX}{name}"
    near = difflib.get_close_matches(full, sorted(specs), n=1, cutoff=0.6)
    advice = f", did you mean {near[0]}?" if near else f"; the names of hooks start with {PREFIX}"
    return f"unknown hook {name}{advice}"


def _at(thing: object) -> str:
    where = place_of(thing)
    return f" ({where})" if where else ""
