r"""Text of the graph, written so that it cannot pass for the structure of a format.

A label may hold line breaks, headings, brackets and arrows. In a line-based format it must not start a line
of its own; in a format with marks of its own, such as ``-[uses]->``, the marks get a backslash.
"""

from __future__ import annotations

import re

from graphrag_pipeline.stages.scored import PathStep, ScoredNode

_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), " ")
_MARKS = re.compile(r"\\|-(?=\[)|\](?=-)")
_MARKDOWN = re.compile(r"[\\`*\[\]<>#|~&]")
_LIST_START = re.compile(r"(?:[-+=]|\d{1,9}(?=[.)]))")


def one_line(text: str) -> str:
    """Return a text with every run of blanks, line breaks and control characters as one blank."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.translate(_CONTROL).split())


def indented(text: str, by: str = "  ") -> str:
    """Return the lines of a text that are not blank, each behind ``by``; none can start a line of its own."""
    lines = (line.translate(_CONTROL).rstrip() for line in text.splitlines())
    return "\n".join(by + line for line in lines if line.strip())


def name(label: str, node_id: str) -> str:
    """Return a label on one line, or the id where it is blank."""
    return one_line(label) or one_line(node_id) or "?"


def unmarked(text: str) -> str:
    r"""Return a text on one line in which ``-[`` and ``]-`` are ``\-[`` and ``\]-``, and ``\`` is ``\\``."""
    return _MARKS.sub(lambda found: "\\" + found[0], one_line(text))


def typed(node: ScoredNode | PathStep, ids: bool) -> str:
    """Return ``label (type)`` or ``label (type, id=…)`` without marks."""
    label = unmarked(node.label) or unmarked(node.node_id) or "?"
    kind = unmarked(node.node_type)
    return f"{label} ({kind}, id={unmarked(node.node_id)})" if ids else f"{label} ({kind})"


def arrow(edge_type: str, forward: bool) -> str:
    """Return an edge between two nodes as a line shows it."""
    kind = unmarked(edge_type)
    return f" -[{kind}]-> " if forward else f" <-[{kind}]- "


def markdown(text: str) -> str:
    """Return a text on one line that Markdown reads as plain words, but for emphasis by underscores."""
    return _MARKDOWN.sub(lambda found: "\\" + found[0], one_line(text))


def markdown_item(text: str) -> str:
    """Return the same, to stand at the start of a list's item: it starts no list of its own."""
    escaped = markdown(text)
    start = _LIST_START.match(escaped)
    if start is None:
        return escaped
    # `1.` takes its backslash before the point, `-` before itself.
    place = start.end() if start[0][0].isdigit() else 0
    return f"{escaped[:place]}\\{escaped[place:]}"
