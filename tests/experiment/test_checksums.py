"""Checksums of columns: what they notice, and that they are the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.experiment.checksums import checksum_of_floats, checksum_of_numbers


def numbers(*columns: list[int]) -> int:
    return checksum_of_numbers(*(np.array(column, dtype=np.int64) for column in columns))


def floats(*values: float) -> int:
    return checksum_of_floats(np.array(values, dtype=np.float64))


def test_checksums_are_the_same_on_every_machine():
    assert numbers([1, 2, 3], [-1, -1, 1]) == 0xB660D24C616968AA
    assert floats(0.1, -0.5, 0.0) == 0xA1D176300BC4B432


def test_nothing_has_the_checksum_0_and_zeros_have_none():
    assert numbers([], []) == floats() == 0
    assert len({floats(*[0.0] * count) for count in range(5)}) == 5


@pytest.mark.parametrize("other", [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (5e-324, 0.0), (0.0, np.nan)])
def test_a_change_of_signs_and_of_the_last_bit_is_noticed(other):
    assert floats(*other) != floats(0.0, 0.0)


def test_order_of_entries_and_of_columns_counts():
    assert len({numbers([1, 2], [3, 4]), numbers([2, 1], [3, 4]), numbers([3, 4], [1, 2])}) == 3


def test_a_column_that_is_no_block_of_memory_has_the_checksum_of_its_entries():
    column = np.linspace(-1, 1, 100)
    assert checksum_of_floats(column[::2]) == floats(*column[::2].tolist())
    assert checksum_of_numbers(np.arange(9)[::3]) == numbers([0, 3, 6])


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=30), st.data())
def test_a_change_of_one_entry_is_noticed(column, data):
    place = data.draw(st.integers(0, len(column) - 1))
    other = data.draw(st.floats(allow_nan=False).filter(lambda value: repr(value) != repr(column[place])))
    assert floats(*column) != floats(*column[:place], other, *column[place + 1 :])
