"""The section ``plugins``: which plugins a config asks for, and which it wants left out.

Code comes in where the user says so, and a file is not the user: it may be a stranger's. So only an
override imports a module. A module that a file names must be there already (decision 022).
"""

from __future__ import annotations

from collections.abc import Iterator

from graphrag_pipeline.config.messages import nearest
from graphrag_pipeline.config.tree import Branch, Items, Leaf, find
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.records import BUILTIN

MODULES, BLOCKED = ("plugins", "modules"), ("plugins", "blocked")


def asks_for_plugins(tree: Branch) -> bool:
    """Whether a config names plugins to load or to leave out."""
    return any(True for path in (MODULES, BLOCKED) for _ in _texts(tree, path))


def heed_plugins(tree: Branch, host: PluginHost) -> None:
    """Leave out and load the plugins that a config names, as far as it may; mistakes are found later.

    Args:
        tree: The values, before they are validated; one with a reference in it is passed over.
        host: Plugins are taken from it and added to it.

    Raises:
        PluginError: A module that an override names cannot be loaded.
    """
    host.block([name for name, _ in _texts(tree, BLOCKED) if name != BUILTIN and "${" not in name])
    asked = [name for name, leaf in _texts(tree, MODULES) if leaf.origin.is_override and "${" not in name]
    host.add_modules(asked, needed=True)


def plugin_problems(tree: Branch, host: PluginHost) -> Iterator[Problem]:
    """Yield a problem for each module that a file names and that nobody loaded."""
    named = [(leaf.shown or name, name, leaf) for name, leaf in _texts(tree, MODULES)]
    every = ",".join(shown for shown, _, _ in named)
    for shown, name, leaf in named:
        if not leaf.origin.is_override and not host.knows(name):
            what = f"the plugin {shown!r} is not loaded, and a file cannot import code"
            hint = f"if you trust it, say so yourself: plugins.modules=[{every}]"
            yield Problem(".".join(MODULES), what, str(leaf.origin), hint)


def plugin_notes(tree: Branch, host: PluginHost) -> Iterator[str]:
    """Yield a line for each name to leave out that no plugin has."""
    known = [name for record in host.plugins for name in (record.name, record.distribution) if name]
    for name, leaf in _texts(tree, BLOCKED):
        if name != BUILTIN and not host.knows(name):
            best = nearest(name, known)
            meant = f"; did you mean {best!r}?" if best else ""
            yield f"there is no plugin {leaf.shown or name!r} to leave out ({leaf.origin}){meant}"


def _texts(tree: Branch, path: tuple[str, ...]) -> Iterator[tuple[str, Leaf]]:
    node = find(tree, path)
    for leaf in node.items if isinstance(node, Items) else ():
        if isinstance(leaf, Leaf) and isinstance(leaf.value, str):
            yield leaf.value, leaf
