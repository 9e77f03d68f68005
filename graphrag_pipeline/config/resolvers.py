"""Which resolvers an interpolation may ask for: those that only read the config, or our own variables.

A config may come from a stranger. So it must not read the environment at large, where secrets are, nor
have text parsed that is put together while it is resolved, which no check could see beforehand. Of our own
variables it does not get those that look like secrets: it could send them to a server of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphrag_pipeline.config.messages import nearest
from graphrag_pipeline.tracking.redaction import is_secret

RESOLVERS = ("oc.dict.keys", "oc.dict.values", "oc.env", "oc.select")
"""The resolvers a config may use."""
PREFIX = "GRAPHRAG_"
"""How the variables that a config may read begin."""

_REFERENCE = re.compile(r"\$\{[\w@/.-]+\}")
_PARSES_TEXT = ("oc.create", "oc.decode")
_SECRETS = "a config cannot read secrets; the plugin that needs it reads it from the environment"
_ALLOWED = f"resolvers: {', '.join(RESOLVERS)}"


def refusal(text: str) -> tuple[str, str] | None:
    """Return what is wrong with the resolvers a text asks for and a hint; None when nothing is.

    Raises:
        GrammarParseError: It is no valid interpolation.
    """
    from omegaconf.grammar.gen.OmegaConfGrammarParser import OmegaConfGrammarParser
    from omegaconf.grammar_parser import parse

    resolver: Any = OmegaConfGrammarParser.InterpolationResolverContext
    # A pattern would not do: ${oc.${key}:HOME} puts the name together, and quotes and blanks hide others.
    tree: Any = parse(text)
    for node in _nodes(tree):
        if isinstance(node, resolver):
            sequence = node.sequence()
            arguments = [] if sequence is None else [part.getText() for part in sequence.element()]
            if found := _refused(node.resolverName().getText(), arguments):
                return found
    return None


def is_plain_reference(text: str) -> bool:
    """Whether a text of a defaults list holds no other interpolation than ``${group}``."""
    return "${" not in _REFERENCE.sub("", text)


def _refused(name: str, arguments: list[str]) -> tuple[str, str] | None:
    if "${" in name:
        return f"puts the name of a resolver together, {name!r}, which is not allowed", _ALLOWED
    if name not in RESOLVERS:
        best = nearest(name, RESOLVERS) if name not in _PARSES_TEXT else ""
        why = "a value of the environment is read as a file's is; " if name in _PARSES_TEXT else ""
        hint = why + (f"did you mean {best}? " if best else "") + _ALLOWED
        return f"asks for the resolver {name!r}, which is not allowed", hint
    if name == "oc.env":
        variable = arguments[0].strip("'\"") if arguments else ""
        plain = re.fullmatch(r"\w+", variable)
        if not variable.startswith(PREFIX):
            what = f"reads the environment variable {variable!r}; a config may read those of {PREFIX} only"
            return what, f"call it {PREFIX}{variable}" if plain else f"write ${{oc.env:{PREFIX}NAME}}"
        if not plain:
            what = f"reads the environment variable {variable!r}, whose name is not written out"
            return what, f"write ${{oc.env:{PREFIX}NAME}}"
        if is_secret(variable):
            what = f"reads the environment variable {variable}, which looks like a secret; {_SECRETS}"
            return what, "take it out of the config; call a variable that is no secret something else"
    return None


# Any: the parser's nodes are not typed.
def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for child in getattr(tree, "children", None) or ():
        yield from _nodes(child)
