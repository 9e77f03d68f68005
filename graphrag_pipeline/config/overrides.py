"""Overrides: ``key=value``, ``+key=value``, ``~key``, ``group=option``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Branch, Leaf, Node
from graphrag_pipeline.errors import Problem

Action = Literal["set", "add", "delete"]

_HEAD = re.compile(r"(?P<sign>~|\+{0,2})(?P<key>[^=~+\s][^=]*?)\s*")
_KEY = re.compile(r"[^\W\d][\w$-]*([./][\w$-]+)*(@[\w$.-]*)?")


@dataclass(frozen=True, slots=True)
class Override:
    """One override.

    Args:
        text: As it was given.
        action: ``set`` for ``key=`` and ``++key=``, ``add`` for ``+key=``, ``delete`` for ``~key``.
        key: Config key (dots) or group (slashes).
        package: What follows ``@`` in the key; None without one.
        value: Its value; None for ``~key``.
        choices: The values of a choice sweep as text, each fit to stand after ``=`` alone.
        sweep: Whether it stands for several values; then there is no ``value``.
    """

    text: str
    action: Action
    key: str
    package: str | None = None
    value: Node | None = None
    choices: tuple[str, ...] | None = None
    sweep: bool = False

    @property
    def origin(self) -> Origin:
        """Where its value comes from."""
        return Origin.of_override(self.text)

    @property
    def target(self) -> str:
        """Key and package as they were given."""
        return self.key if self.package is None else f"{self.key}@{self.package}"

    @property
    def path(self) -> tuple[str, ...]:
        """The key as a path into the tree."""
        return tuple(self.key.split("."))


def parse_override(text: str) -> Override | Problem:
    """Read one override; a mistake comes back as a problem.

    The text is split at its first ``=``. A value that Hydra's grammar does not know is taken as it
    stands, so unicode, blanks, parentheses and further ``=`` need no quotes.
    """
    from graphrag_pipeline.config import grammar

    head, equals, value = text.partition("=")
    match = _HEAD.fullmatch(head)
    # Bytes of a command line that are no UTF-8 arrive as lone surrogates.
    broken = any("\ud800" <= char <= "\udfff" for char in text)
    if broken or not match or (not equals and match["sign"] != "~"):
        return _not_an_override(text)
    key, at, package = match["key"].partition("@")
    if not _KEY.fullmatch(match["key"]):
        return Problem(key, "this is not a config key", str(Origin.of_override(text)), _SHAPES)
    action: Action = "delete" if match["sign"] == "~" else "add" if match["sign"] == "+" else "set"
    override = Override(text, action, key, package if at else None)
    if not equals:
        return override
    try:
        node = grammar.read(value.strip(), override.origin)
    except grammar.SeveralValuesError as several:
        return _replace(override, choices=several.choices, sweep=True)
    except ValueError as error:
        return Problem(key, str(error), str(override.origin))
    return _replace(override, value=node)


def parse_overrides(texts: Sequence[str]) -> tuple[list[Override], list[Problem]]:
    """Read overrides, all mistakes at once."""
    parsed = [parse_override(text) for text in texts]
    return (
        [item for item in parsed if isinstance(item, Override)],
        [item for item in parsed if isinstance(item, Problem)],
    )


def literal(text: str) -> str:
    """Return ``text`` written so that an override takes it for exactly that text."""
    plain = escaped(text)
    trailing = len(plain) - len(plain.rstrip("\\"))
    quoted = re.sub(r"(\\*)'", lambda run: run[1] * 2 + r"\'", plain[: len(plain) - trailing])
    return f"'{quoted}{chr(92) * trailing * 2}'"


def escaped(text: str) -> str:
    """Return ``text`` written so that no part of it is a reference to another value."""
    return text.replace("${", r"\${")


def option_of(override: Override) -> str | None:
    """Return the option a group override chooses: the characters as they were typed."""
    leaf = override.value
    if not isinstance(leaf, Leaf) or leaf.value is None:
        return None
    return leaf.text if leaf.text is not None else str(leaf.value)


def is_value(override: Override) -> bool:
    """Whether the value cannot be the name of an option."""
    return isinstance(override.value, Branch)


def several_values(override: Override, options: Sequence[str]) -> Problem:
    """Return the problem of a sweep where one value is wanted.

    Args:
        override: The sweep.
        options: The group's options with their places; empty for a value.
    """
    value = override.text.partition("=")[2].strip()
    what = f"{override.target} takes one {'choice' if options else 'value'}; use sweep for several"
    hint = f"to give the text itself, quote it: \"{override.target}='{value}'\""
    if options:
        hint = f"choose one of {', '.join(options)}; a comma that belongs to a name is quoted: '{value}'"
    return Problem(override.target, what, str(override.origin), hint)


_SHAPES = "write KEY=VALUE, GROUP=OPTION, +GROUP=OPTION or ~KEY"


def _not_an_override(text: str) -> Problem:
    return Problem("", f"{text!r} is not an override", str(Origin.of_override(text)), _SHAPES)


def _replace(
    override: Override,
    *,
    value: Node | None = None,
    choices: tuple[str, ...] | None = None,
    sweep: bool = False,
) -> Override:
    return Override(override.text, override.action, override.key, override.package, value, choices, sweep)
