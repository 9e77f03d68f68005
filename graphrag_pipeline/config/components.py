"""Check a component: its name, its parameters, and the components its parameters name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from graphrag_pipeline.config.messages import did_you_mean
from graphrag_pipeline.config.model_check import check, origin_of
from graphrag_pipeline.config.tree import Branch, Leaf, Node, Path, describe, dotted, find, put
from graphrag_pipeline.errors import PluginError, Problem
from graphrag_pipeline.pipeline.spec import SLOT_KINDS, ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import ComponentInfo
from graphrag_pipeline.stages.embedders.contract import EmbedderParams

STAGE_KINDS = tuple(dict.fromkeys(SLOT_KINDS.values()))
"""The kinds that fill slots."""

_OWN_KEYS = ("use", "kind")


@dataclass(frozen=True, slots=True)
class CheckedComponent:
    """A component of the config.

    Args:
        spec: The component; None when something is wrong.
        node: Its values, with characters restored, without ``use`` and ``kind``.
        use: Where its name stands.
        problems: What is wrong.
        kind: Its kind, where it is known.
    """

    spec: ComponentSpec | None
    node: Branch
    use: Leaf | None
    problems: tuple[Problem, ...]
    kind: str | None = None


def check_component(key: str, node: Branch, kind: str, host: PluginHost) -> CheckedComponent:
    """Check a node that has a known kind."""
    params = Branch(
        {name: item for name, item in node.children.items() if name not in _OWN_KEYS}, node.origin
    )
    use, problem = _text_of(node.children.get("use"), (key, "use"))
    if use is None:
        return CheckedComponent(None, params, None, (problem,) if problem else (), kind)
    info, problem = find_component(kind, str(use.value), (key, "use"), use, host)
    if info is None:
        return CheckedComponent(None, params, use, (problem,) if problem else (), kind)
    params, problems = _check_named(info, (key,), params, host)
    checked = check(info.params, params, (key,), info.name)
    # `clamp: ture` under weights would otherwise be reported by both checks.
    seen = {problem.key for problem in problems}
    problems += [problem for problem in checked.problems if problem.key not in seen]
    spec = ComponentSpec(kind, str(use.value), checked.params) if checked.params and not problems else None
    return CheckedComponent(spec, checked.node, use, tuple(problems), kind)


def find_component(
    kind: str, name: str, key: Path, named: Node, host: PluginHost
) -> tuple[ComponentInfo | None, Problem | None]:
    """Return the component of this name, or why there is none.

    Args:
        kind: The kind it must have.
        name: Its name, or ``plugin:name``.
        key: The key that names it.
        named: Where it is named.
        host: Where components are.
    """
    try:
        return host.find(kind, name), None
    except PluginError as error:
        shown = describe(named) if isinstance(named, Leaf) and named.shown is not None else repr(name)
        what, hint = _no_component(error, kind, name, shown, host)
        return None, Problem(dotted(key), what, origin_of(named), hint)


def _no_component(error: PluginError, kind: str, name: str, shown: str, host: PluginHost) -> tuple[str, str]:
    title, known = KINDS[kind].title, list(host.components(kind))
    if not error.what.startswith("There is no ") and shown == repr(name):
        return error.what.rstrip("."), error.hint
    if other := [found for found in host.kinds_of(name) if found != kind]:
        owner = KINDS[other[0]].title
        return f"{shown} is {_a(owner)}, and this place takes {_a(title)}", f"{title}s: {', '.join(known)}"
    # A plugin that failed to load may be why there is none; the host says so.
    failed = [line.strip() for line in error.hint.splitlines() if line.strip().startswith("The plugin ")]
    hint = did_you_mean(name, known, f"{title}s")
    return f"there is no {title} {shown}", "\n            ".join([hint, *failed])


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _text_of(node: Node | None, key: Path) -> tuple[Leaf | None, Problem | None]:
    if isinstance(node, Leaf) and isinstance(node.text, str) and not node.is_missing:
        return replace(node, value=node.text), None
    if isinstance(node, Leaf) and isinstance(node.value, str) and not node.is_missing:
        return node, None
    if node is None or (isinstance(node, Leaf) and node.is_missing):
        return None, Problem(
            dotted(key), "is required", origin_of(node), "name the component that fills this place"
        )
    return None, Problem(
        dotted(key), f"must be the name of a component, got {describe(node)}", origin_of(node)
    )


def _check_named(
    info: ComponentInfo, key: Path, node: Branch, host: PluginHost
) -> tuple[Branch, list[Problem]]:
    """Check the components that a component names in its parameters."""
    problems: list[Problem] = []
    if info.kind == "scorer":
        for name in ("weights", "normalise_signals"):
            named = node.children.get(name) if name in info.params.model_fields else None
            if isinstance(named, Branch):
                problems += _unknown_signals(named, (*key, name), host)
        given = node.children.get("signal_params")
        if isinstance(given, Branch):
            for name in given.children:
                at = ("signal_params", name)
                node, found = _check_params_of("signal", name, at, at, key, node, host)
                problems += found
    if info.kind == "context_assembler":
        node, found = _check_chosen("token_counter", "counter", info, key, node, host)
        problems += found
    if issubclass(info.params, EmbedderParams):
        node, found = _check_chosen("embedder", "embedder", info, key, node, host)
        problems += found
    return node, problems


def _check_chosen(
    kind: str, field: str, info: ComponentInfo, key: Path, node: Branch, host: PluginHost
) -> tuple[Branch, list[Problem]]:
    """Check a component that the key ``field`` names, and whose parameters stand under ``field_params``."""
    default = Leaf(info.params.model_fields[field].default, node.origin)
    named, problem = _text_of(node.children.get(field, default), (*key, field))
    if named is None:
        return node, [problem] if problem else []
    return _check_params_of(kind, str(named.value), (field,), (f"{field}_params",), key, node, host)


def _unknown_signals(named: Branch, key: Path, host: PluginHost) -> Iterable[Problem]:
    for name, value in named.children.items():
        _, problem = find_component("signal", name, (*key, name), value, host)
        if problem:
            yield problem


def _check_params_of(
    kind: str, name: str, named: Path, at: Path, key: Path, node: Branch, host: PluginHost
) -> tuple[Branch, list[Problem]]:
    """Check the parameters of a named component, and restore texts in them.

    Args:
        kind: Its kind.
        name: Its name.
        named: Where in ``node`` it is named.
        at: Where in ``node`` its parameters stand.
        key: Where ``node`` stands in the config.
        node: The parameters of the component that names it.
        host: Where components are.
    """
    info, problem = find_component(kind, name, (*key, *named), find(node, named) or node, host)
    if info is None or problem:
        return node, [problem] if problem else []
    given = find(node, at)
    if given is not None and not isinstance(given, Branch):
        return node, []  # the owner's own check says that a mapping is wanted
    inner, problems = _check_named(info, (*key, *at), given or Branch(origin=node.origin), host)
    checked: Any = check(info.params, inner, (*key, *at), info.name)
    if given is not None:
        changed = put(node, at, checked.node)
        node = changed if isinstance(changed, Branch) else node
    seen = {problem.key for problem in problems}
    return node, problems + [problem for problem in checked.problems if problem.key not in seen]
