"""Reading JSON Lines and JSON of question sets, strictly: every mistake names its file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError, GraphSourceError
from graphrag_pipeline.graph.reading.files import read_json, read_text
from graphrag_pipeline.graph.reading.json_limits import past_limits
from graphrag_pipeline.graph.reading.json_lines import numbered_lines

# Any throughout: JSON data.


@contextmanager
def as_dataset_errors() -> Iterator[None]:
    """Turn errors of reading a file into errors of the question set."""
    try:
        yield
    except GraphSourceError as error:
        raise DatasetError(error.what, where=error.where, hint=error.hint) from error


def objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and the object of each line.

    Raises:
        DatasetError: The file cannot be read, a line is no JSON object, or a key is repeated in an object.
    """
    with as_dataset_errors():
        for number, line in numbered_lines(path):
            at = f"{path}:{number}"
            try:
                value = json.loads(line.decode("utf-8"), object_pairs_hook=_once_each)
            except _RepeatedKeyError as error:
                raise DatasetError(
                    f"The key {error.args[0]!r} is there twice in one object.",
                    where=at,
                    hint="Leave one of them out: readers of JSON take the last, and the other is lost.",
                ) from error
            except (UnicodeDecodeError, json.JSONDecodeError) as error:
                raise DatasetError(f"The line is not valid JSON: {error}.", where=at) from error
            except (ValueError, RecursionError) as error:
                raise past_limits(error, line.decode("utf-8"), "line", at) from error
            if not isinstance(value, dict):
                raise DatasetError(f"The line is no JSON object but {_kind(value)}.", where=at)
            yield at, value


class _RepeatedKeyError(Exception):
    """An object of JSON has a key twice."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for key in keys if keys.count(key) > 1))
    return value


def listed_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the place and each object of a JSON list, or of JSON Lines.

    Raises:
        DatasetError: The file cannot be read, or is something else.
    """
    with as_dataset_errors():
        if not read_text(path).lstrip().startswith("["):
            yield from objects(path)
            return
        for place, value in enumerate(read_json(path)):
            at = f"{path}: entry {place + 1}"
            if not isinstance(value, dict):
                raise DatasetError(f"The entry is no JSON object but {_kind(value)}.", where=at)
            yield at, value


def text_at(value: Mapping[str, Any], keys: tuple[str, ...], at: str) -> str:
    """Return the text, or the whole number as text, of the first of the keys that is there.

    Raises:
        DatasetError: None is there, or it is no text.
    """
    for key in keys:
        if key in value:
            found = value[key]
            if isinstance(found, str):
                return found
            if isinstance(found, int) and not isinstance(found, bool):
                return str(found)
            raise DatasetError(f"{key!r} must be a text, not {_kind(found)}.", where=at)
    raise DatasetError(
        f"There is no {' or '.join(map(repr, keys))}.", where=at, hint=f"Keys: {', '.join(value)}."
    )


def wrong(at: str, what: str) -> DatasetError:
    """Return the error of a value that is not what it must be."""
    return DatasetError(what, where=at)


def _kind(value: object) -> str:
    return {list: "a list", dict: "an object", str: "a text", type(None): "null", bool: "a flag"}.get(
        type(value), "a number"
    )
