"""Check the values of one part of the config against its pydantic model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from graphrag_pipeline.config.known_keys import known_keys
from graphrag_pipeline.config.messages import did_you_mean, word_error
from graphrag_pipeline.config.tree import (
    Branch,
    Leaf,
    Node,
    Path,
    child,
    describe,
    dotted,
    find,
    leaves,
    plain,
    put,
)
from graphrag_pipeline.errors import Problem

M = TypeVar("M", bound=BaseModel)

REQUIRED = "is required"
"""What is said of a ``???`` that nothing replaced."""


@dataclass(frozen=True, slots=True)
class Checked(Generic[M]):
    """What came of a check.

    Args:
        params: The validated model; None when something is wrong.
        node: The values, with the characters restored where text was asked for.
        problems: What is wrong.
    """

    params: M | None
    node: Branch
    problems: tuple[Problem, ...] = ()


def check(model: type[M], node: Branch, key: Path, owner: str) -> Checked[M]:
    """Validate strictly: a number in quotes is text, and true is not 1.

    Where the model refuses a value that was written without quotes, its characters are tried: so
    ``persona: 007`` is ``"007"`` where text is asked for and a number is a number elsewhere.

    Args:
        model: What the values must be.
        node: The values.
        key: Where they stand in the config, for messages.
        owner: Whose keys they are, for messages: ``bullets``, ``query``.
    """
    absent = [path for path, leaf in leaves(node) if leaf.is_missing]
    present = node
    for path in absent:
        present = _branch(put(present, path, None))
    problems = [_required((*key, *path), find(node, path)) for path in absent]
    params, errors, present = _validate(model, present)
    problems += _problems(
        [error for error in errors if not _follows(error, absent)], present, key, owner, model
    )
    return Checked(params if not problems else None, present, tuple(problems))


# Any: pydantic gives its errors as dicts of many shapes.
def _validate(model: type[M], node: Branch) -> tuple[M | None, Sequence[Mapping[str, Any]], Branch]:
    params, errors = _attempt(model, node)
    restorable = {
        path: leaf for path in _paths(errors, node) if (leaf := _written(find(node, path))) is not None
    }
    if not restorable:
        return params, errors, node
    as_text = node
    for path, leaf in restorable.items():
        as_text = _branch(put(as_text, path, leaf))
    params, errors = _attempt(model, as_text)
    refused = _paths(errors, as_text) & restorable.keys()
    if not refused:
        return params, errors, as_text
    # What is wrong as text too is reported as it was meant.
    for path in refused:
        as_text = _branch(put(as_text, path, find(node, path)))
    return *_attempt(model, as_text), as_text


def _attempt(model: type[M], node: Branch) -> tuple[M | None, Sequence[Mapping[str, Any]]]:
    values = plain(node)
    try:
        # JSON mode: a list may fill a tuple and a text an enum, and nothing else is converted.
        if _is_unicode(values):
            return model.model_validate_json(json.dumps(values), strict=True), ()
        return model.model_validate(values), ()
    except ValidationError as error:
        return None, error.errors(include_url=False)


def _is_unicode(values: Any) -> bool:
    """Whether no text holds a lone surrogate, as the undecodable bytes of a command line become."""
    try:
        json.dumps(values, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _written(node: Node | None) -> Leaf | None:
    if isinstance(node, Leaf) and node.text is not None and not isinstance(node.value, str):
        return Leaf(node.text, node.origin, node.text, node.shown)
    return None


def _branch(node: Node) -> Branch:
    assert isinstance(node, Branch)
    return node


def _paths(errors: Sequence[Mapping[str, Any]], node: Node) -> set[Path]:
    return {_at(error["loc"], node) for error in errors}


def _at(loc: Sequence[str | int], node: Node) -> Path:
    """Return the part of an error's place that is in the tree; pydantic adds names of union members."""
    at: Node | None = node
    path: list[str | int] = []
    for step in loc:
        at = child(at, step)
        if at is None:
            break
        path.append(step)
    return tuple(path)


def _follows(error: Mapping[str, Any], absent: Sequence[Path]) -> bool:
    """Tell whether an error is about an absent value, or about a mapping as a whole that lacks one."""
    loc = tuple(error["loc"])
    whole = error["type"] == "value_error"
    return any(loc[: len(path)] == path or (whole and path[: len(loc)] == loc) for path in absent)


def _required(key: Path, node: Node | None) -> Problem:
    return Problem(dotted(key), REQUIRED, str(node.origin) if node else "", example(key))


def example(key: Path) -> str:
    """Return an override that sets a key."""
    name = str(key[-1])
    value = next((word.upper() for word in ("file", "url", "name") if word in name), "VALUE")
    return f"{dotted(key)}={'FILE' if 'path' in name else value}"


def _problems(
    errors: Sequence[Mapping[str, Any]], node: Branch, key: Path, owner: str, model: type[BaseModel]
) -> list[Problem]:
    worded: dict[str, Problem] = {}
    for error in errors:
        if error["type"] == "too_short" and any(_within(other["loc"], error["loc"]) for other in errors):
            continue  # entries that are wrong are not counted, so the list may be long enough
        problem = _problem(error, node, key, owner, model)
        first = worded.get(problem.key)
        # A union gives one error a member: they are one mistake.
        worded[problem.key] = problem if first is None else _joined(first, problem)
    return list(worded.values())


def _within(loc: Sequence[str | int], place: Sequence[str | int]) -> bool:
    return len(loc) > len(place) and tuple(loc[: len(place)]) == tuple(place)


def _joined(first: Problem, second: Problem) -> Problem:
    head, _, got = second.what.rpartition(", got ")
    if not head or not first.what.endswith(f", got {got}"):
        return first
    start = first.what.removesuffix(f", got {got}")
    what = f"{start} or {head.removeprefix('must be ')}, got {got}" if head not in start else first.what
    return Problem(first.key, what, first.origin, first.hint)


def _problem(
    error: Mapping[str, Any], node: Branch, key: Path, owner: str, model: type[BaseModel]
) -> Problem:
    loc = tuple(step for step in error["loc"] if step != "[key]")
    if error["type"] == "missing":
        place = find(node, _at(loc, node)) or node
        return Problem(
            dotted((*key, *loc)),
            REQUIRED if owner == dotted(key) else f"{REQUIRED} by {owner}",
            _origin(place),
            example((*key, *loc)),
        )
    path = _at(loc, node)
    found = find(node, path)
    origin = _origin(found) if found else ""
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        inner = path[:-1]
        known = known_keys(model, inner) if inner else names(model)
        whose = dotted((*key, *inner)) if inner else owner
        hint = did_you_mean(str(path[-1]), known, f"keys of {whose}") if known else ""
        return Problem(dotted((*key, *path)), _unknown(found), origin, hint)
    what, hint = word_error(error, describe(found) if found else "nothing")
    if error["type"] == "value_error" and found and any(leaf.shown is not None for _, leaf in leaves(found)):
        # The model's own words may quote the value, which came from the environment.
        what, hint = f"{describe(found)} gives a value that is not accepted", ""
    return Problem(dotted((*key, *path)), what, origin, hint)


def _unknown(node: Node | None) -> str:
    return f"unknown key, set to {describe(node)}" if node else "unknown key"


def _origin(node: Node) -> str:
    """Return where a value was set; for a mapping, its first value's place."""
    if isinstance(node, Branch) and node.children:
        return next((str(leaf.origin) for _, leaf in leaves(node)), str(node.origin))
    return str(node.origin)


def origin_of(node: Node | None) -> str:
    """Return where a value was set, for a message; empty when there is none."""
    return "" if node is None else _origin(node)


def names(model: type[BaseModel]) -> list[str]:
    """Return the keys a model knows, in order, as they are written in a config."""
    return [field.alias or name for name, field in model.model_fields.items()]
