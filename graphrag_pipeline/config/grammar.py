"""The value of an override, read by Hydra's grammar.

Imported only when an override is read: it loads Hydra.
"""

from __future__ import annotations

from typing import Any

from antlr4 import CommonTokenStream, InputStream  # type: ignore[import-untyped]
from hydra.core.override_parser.overrides_parser import create_functions
from hydra.core.override_parser.overrides_visitor import HydraErrorListener, HydraOverrideVisitor
from hydra.core.override_parser.types import ChoiceSweep, Glob, Override, QuotedString, Sweep
from hydra.errors import HydraException
from hydra.grammar.gen.OverrideLexer import OverrideLexer
from hydra.grammar.gen.OverrideParser import OverrideParser

from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Branch, Items, Leaf, Node
from graphrag_pipeline.config.yaml_reader import read_value


class SeveralValuesError(Exception):
    """The text stands for several values.

    Args:
        choices: The values as text; None for a range, an interval or a glob.
    """

    def __init__(self, choices: tuple[str, ...] | None) -> None:
        self.choices = choices
        super().__init__(choices)


def read(text: str, origin: Origin) -> Node:
    """Read what stands after the ``=``.

    What Hydra's grammar refuses is taken as it stands: first as a YAML list or mapping, then as text.

    Raises:
        SeveralValuesError: The text is a sweep.
        ValueError: A mapping has a key that is not text; the message names it.
    """
    try:
        value = parse(text)
    except HydraException:
        return _read_unquoted(text, origin)
    if isinstance(value, ChoiceSweep):
        raise SeveralValuesError(tuple(_choice_text(item) for item in value.list))
    if isinstance(value, Sweep | Glob):
        raise SeveralValuesError(None)
    return _node(value, origin)


def read_sweep(text: str) -> Sweep | Glob | None:
    """Return the sweep that stands after the ``=``, as Hydra reads it; None where it is none.

    Raises:
        HydraException: Hydra's grammar does not know the text.
    """
    value = parse(text)
    return value if isinstance(value, Sweep | Glob) else None


def _read_unquoted(text: str, origin: Origin) -> Node:
    if text.lstrip().startswith(("[", "{")) and (node := read_value(text, origin)) is not None:
        return node
    parts = split_choices(text)
    if len(parts) > 1:
        raise SeveralValuesError(tuple(part.strip() for part in parts))
    return Leaf(text, origin, text)


def split_choices(text: str) -> list[str]:
    """Split at the commas that stand outside quotes and brackets."""
    parts, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"" and not text[start:at].strip():
            # A quote within a word is an apostrophe.
            quote = char if char in text[at + 1 :] else ""
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


class _Written:
    """A primitive together with its characters; Hydra's visitor passes it through untouched."""

    def __init__(self, value: Any, text: str) -> None:
        self.value = value
        self.text = text


class _Visitor(HydraOverrideVisitor):
    def visitPrimitive(self, ctx: OverrideParser.PrimitiveContext) -> Any:  # noqa: N802  # Hydra's name
        value = super().visitPrimitive(ctx)
        return (
            value
            if value is None or isinstance(value, QuotedString)
            else _Written(value, ctx.getText().strip())
        )

    def visitFunction(self, ctx: OverrideParser.FunctionContext) -> Any:  # noqa: N802
        # Functions compute with their arguments, so these must be plain.
        return HydraOverrideVisitor(self.functions).visitFunction(ctx)


# Any: what the grammar gives: scalars, lists, mappings and sweeps.
def parse(text: str) -> Any:
    """Return what stands after the ``=`` as Hydra reads it, scalars together with their characters.

    Raises:
        HydraException: Hydra's grammar does not know the text.
    """
    listener = HydraErrorListener()
    lexer = OverrideLexer(InputStream(f"value={text}"))
    lexer.removeErrorListeners()
    lexer.addErrorListener(listener)
    parser = OverrideParser(CommonTokenStream(lexer))
    parser.removeErrorListeners()
    parser.addErrorListener(listener)
    override = _Visitor(create_functions()).visit(parser.override())  # type: ignore[no-untyped-call]
    assert isinstance(override, Override)
    return override._value


def _node(value: Any, origin: Origin) -> Node:
    if isinstance(value, list):
        return Items(tuple(_node(item, origin) for item in value), origin)
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise ValueError(f"the key {key} is not text; write '{{\"{key}\": …}}' in a file instead")
        return Branch({key: _node(item, origin) for key, item in value.items()}, origin)
    if isinstance(value, _Written):
        # An escaped character is meant, not its backslash: a text keeps what Hydra made of it.
        return Leaf(value.value, origin, value.value if isinstance(value.value, str) else value.text)
    if isinstance(value, QuotedString):
        return Leaf(value.text, origin)
    return Leaf(value, origin)


def _choice_text(value: Any) -> str:
    if isinstance(value, _Written):
        return value.text
    return Override._get_value_element_as_str(unwritten(value))


# Any: as above.
def unwritten(value: Any) -> Any:
    """Return what :func:`parse` gave without the characters."""
    if isinstance(value, list):
        return [unwritten(item) for item in value]
    if isinstance(value, dict):
        return {key: unwritten(item) for key, item in value.items()}
    return value.value if isinstance(value, _Written) else value
