"""Checksums of columns: what they notice, and that they are the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline.experiment.checksums import Checksums


def numbers(*columns: list[int]) -> int:
    return Checksums().of_numbers(*(np.array(column, dtype=np.int64) for column in columns))


def floats(*values: float) -> int:
    return Checksums().of_floats(np.array(values, dtype=np.float64))


def test_checksums_are_the_same_on_every_machine():
    assert numbers([1, 2, 3], [-1, -1, 1]) == 0xE15E9D0081FF7334
    assert floats(0.1, -0.5, 0.0) == 0x23D5C3EECBB8DD4C


def test_nothing_has_the_checksum_0_and_zeros_have_none():
    assert numbers([], []) == floats() == 0
    assert len({floats(*[0.0] * count) for count in range(5)}) == 5


@pytest.mark.parametrize("other", [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (5e-324, 0.0), (0.0, np.nan)])
def test_a_change_of_signs_and_of_the_last_bit_is_noticed(other):
    assert floats(*other) != floats(0.0, 0.0)


def test_order_of_entries_and_of_columns_counts():
    assert len({numbers([1, 2], [3, 4]), numbers([2, 1], [3, 4]), numbers([3, 4], [1, 2])}) == 3


def test_a_sum_does_not_depend_on_what_was_summed_before():
    sums, column = Checksums(), np.linspace(-1, 1, 100)
    first = sums.of_floats(column[:10])
    assert sums.of_floats(column) == floats(*column.tolist())
    assert sums.of_floats(column[:10]) == first
    assert sums.of_floats(column[::2]) == floats(*column[::2].tolist())
