"""Whether a name will do for a new plugin, and the names that are made of it."""

from __future__ import annotations

import importlib.util
import keyword
import re
from collections.abc import Collection
from dataclasses import dataclass

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.scaffold.forms import Form

PATTERN = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"
"""Names from which good names of classes, modules and distributions can be made."""
LONGEST = 24
"""Longest name; lines with it twice are still lines that people read."""
RULE = "a name is lower-case letters, digits and single underscores, a letter first"
YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""What YAML, or people who read it, would not take for a name."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a plugin.

    Args:
        name: Name of the component.
        distribution: Name of the distribution, and of its directory.
        module: Name of the package.
        cls: Name of the class.
        params: Name of its parameters' class.
    """

    name: str
    distribution: str
    module: str
    cls: str
    params: str


def names_of(name: str, form: Form) -> Names:
    """Return the names that are made of a component's name.

    Raises:
        PluginError: It is no name for a component.
    """
    if not re.fullmatch(PATTERN, name) or len(name) > LONGEST:
        near = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:LONGEST].strip("_")
        hint = f"{RULE}, at most {LONGEST} characters" + (f": {near}" if re.fullmatch(PATTERN, near) else "")
        raise PluginError(f"{name!r:.60} is no name for a component.", where="NAME", hint=hint)
    if keyword.iskeyword(name) or name in YAML_WORDS:
        hint = f"Name what it does: {name}_{form.module}."
        raise PluginError(f"{name!r} means something else in Python or YAML.", where="NAME", hint=hint)
    cls = _class_name(name, form)
    return Names(
        name=name,
        distribution=f"graphrag-{name.replace('_', '-')}",
        module=f"graphrag_{name}",
        cls=cls,
        params=f"{cls}Params",
    )


def _class_name(name: str, form: Form) -> str:
    """Return the name with the kind behind it, once: of ``my_scorer``, too, ``MyScorer``.

    The kind alone is no name for a class: its parameters would be called like what they are made from.
    """
    title = "".join(part.capitalize() for part in name.split("_"))
    kinds = (form.suffix, form.suffix.removesuffix("s"))
    said = next((kind for kind in kinds if title.endswith(kind)), "")
    return f"{title.removesuffix(said) or 'My'}{form.suffix}"


def check_free(names: Names, form: Form, host: PluginHost, options: Collection[str], *, module: str) -> None:
    """Refuse names that something has already.

    Args:
        names: The names.
        form: What is to be written.
        host: The components there are.
        options: The options of the group that the plugin's own option would join.
        module: Name of the package, or of the one file.

    Raises:
        PluginError: A component, a config option or an installed module has the name.
    """
    hint = f"Choose another name, such as my_{names.name}."
    if names.name in host.components(form.kind.name):
        info = host.find(form.kind.name, names.name)
        what = f"There is a {form.kind.title} {names.name!r} already, of the plugin {info.origin}."
        raise PluginError(what, where="NAME", hint=hint)
    if names.name in options:
        what = f"There is a config option {form.group}={names.name} already, and the plugin's would hide it."
        raise PluginError(what, where="NAME", hint=hint)
    if importlib.util.find_spec(module) is not None:
        what = f"There is a module {module!r} already, which the plugin's would be confused with."
        raise PluginError(what, where="NAME", hint=hint)
