"""Columns of Arrow as Python values: exact numbers, texts, lists, mappings, dates, decimals, bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrag_pipeline.graph.reading.files import need

# Any throughout: pyarrow has no types, and a cell holds anything.


def cells(column: Any) -> list[Any]:
    """Return the values of a column; times that no type of Python holds become text.

    Raises:
        Exception: Whatever pyarrow raises for values that it cannot read.
    """
    types = need("pyarrow", "arrow", "Arrow columns").types
    if types.is_dictionary(column.type):
        return _unfolded(column)
    try:
        values: list[Any] = column.to_pylist()
    except (ValueError, ArithmeticError, LookupError):
        values = [_cell(scalar) for scalar in column]
    if types.is_map(column.type):
        return [_mapping(value) for value in values]
    return values


def unfolded_size(column: Any) -> int:
    """Return about how many bytes the values of a column take once each is written out."""
    types = need("pyarrow", "arrow", "Arrow columns").types
    if types.is_dictionary(column.type):
        compute = need("pyarrow.compute", "arrow", "Arrow columns")
        if not len(column.dictionary):
            return int(column.nbytes)
        if not _has_lengths(column.dictionary.type, types):
            return 8 * len(column)
        lengths = compute.fill_null(compute.binary_length(column.dictionary), 0).to_numpy()
        places = compute.fill_null(column.indices, 0).to_numpy(zero_copy_only=False)
        return int(np.sum(lengths[places], dtype=np.int64))
    if types.is_struct(column.type) or types.is_list(column.type) or types.is_large_list(column.type):
        inner = column.flatten()
        return sum(map(unfolded_size, inner)) if isinstance(inner, list) else unfolded_size(inner)
    return int(column.nbytes)


def _has_lengths(kind: Any, types: Any) -> bool:
    return bool(
        types.is_string(kind)
        or types.is_binary(kind)
        or types.is_large_string(kind)
        or types.is_large_binary(kind)
    )


def _unfolded(column: Any) -> list[Any]:
    if len(column.dictionary) > 2 * len(column):
        return cells(column.dictionary_decode())
    values = cells(column.dictionary)
    # Equal values are one object, which is what makes this worth it.
    return [None if place is None else values[place] for place in column.indices.to_pylist()]


def _cell(scalar: Any) -> Any:
    """Return one value of a column in which some value is beyond Python's types."""
    try:
        return scalar.as_py()
    except (ValueError, ArithmeticError, LookupError):
        pyarrow = need("pyarrow", "arrow", "Arrow columns")
    if isinstance(scalar, pyarrow.StructScalar):
        return {name: _cell(value) for name, value in scalar.items()}
    if isinstance(scalar, pyarrow.ListScalar):
        return [_cell(value) for value in scalar.values]
    try:
        text = str(scalar.cast(pyarrow.string()).as_py())
    except (ValueError, ArithmeticError, LookupError, NotImplementedError):
        text = "<"
    # Arrow writes years that it cannot name, and zones that it does not know, in brackets or not at all.
    return str(scalar.value) if text.startswith("<") else text.replace(" ", "T", 1)


def _mapping(pairs: Any) -> Any:
    if pairs is None:
        return None
    made = {key: value for key, value in pairs if isinstance(key, str | int)}
    return made if len(made) == len(pairs) else pairs
