"""Ids of the nodes that a run met: written by runs of positions, and read back."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline.experiment.node_names import GAP, TAIL, names_of, read_names, size_of_names
from tests.tiny import index_of, node


def back(index, met: list[int]) -> dict[int, str]:
    mask = np.zeros(index.node_count, dtype=np.bool_)
    mask[met] = True
    written = names_of(index, mask)
    content, tail = written[: -TAIL.size], written[-TAIL.size :]
    assert size_of_names(tail) == len(content)
    return dict(read_names(content, tail))


@pytest.fixture
def long():
    return index_of([node(f"n{number}é" if number % 3 else "" + "x" * number) for number in range(1, 60)])


def test_every_node_that_was_met_has_its_id(long):
    for met in ([0], [58], [0, 58], [3, 4, 5, 30, 57], list(range(59))):
        found = back(long, met)
        assert set(met) <= set(found)
        assert all(long.ids[position] == name for position, name in found.items())


def test_nodes_far_from_those_that_were_met_are_left_out(long):
    assert list(back(long, [0, GAP, 58])) == [*range(GAP + 1), 58]
    assert back(long, []) == {}


def test_names_that_do_not_fit_together_are_refused(long):
    mask = np.zeros(long.node_count, dtype=np.bool_)
    mask[:3] = True
    written = bytearray(names_of(long, mask))
    written[8] += 1
    with pytest.raises(ValueError, match="fit"):
        read_names(bytes(written[: -TAIL.size]), bytes(written[-TAIL.size :]))
