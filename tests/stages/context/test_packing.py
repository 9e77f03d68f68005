"""Which entries are chosen, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline import Query
from graphrag_pipeline.stages.context.diverse import Novelty
from graphrag_pipeline.stages.context.knapsack import by_density, in_turn
from graphrag_pipeline.stages.context.packing import PackedParams, Packing
from graphrag_pipeline.stages.context.passages import Passages, PassagesParams
from graphrag_pipeline.stages.context.triples import Triples, TriplesParams
from graphrag_pipeline.stages.context.units import After, Frame, Unit, alone
from tests.stages.context.scored import Characters, ranked, written
from tests.tiny import index_of, node


def units(*entries: tuple[str, float]) -> list[Unit]:
    return [Unit(text, (f"n{place}",), place, score) for place, (text, score) in enumerate(entries)]


def pack(entries: Sequence[Unit], budget: int, counter: Any = None, **params: Any) -> Packing:
    frame = Frame(
        lambda chosen: "".join(unit.text + "\n" for unit in chosen), "\n", counter or Characters(), budget
    )
    packing = Packing(frame, PackedParams(**params), index_of())
    packing.pack(iter(entries))
    return packing


def texts(packing: Packing) -> list[str]:
    return [unit.text for unit in sorted(packing.chosen, key=lambda unit: unit.rank)]


ENTRIES = units(("aaaa", 1.0), ("bbbbbbbbb", 0.9), ("cc", 0.5), ("d", 0.1))
"""With their line breaks they take 5, 10, 3 and 2."""


def test_greedy_passes_over_what_does_not_fit():
    assert texts(pack(ENTRIES, 10)) == ["aaaa", "cc", "d"]
    assert pack(ENTRIES, 10).reasons == {}
    assert pack(ENTRIES, 9).reasons == {1: "too_long"}


def test_greedy_stops_there_when_it_may_not_skip():
    packing = pack(ENTRIES, 10, skip=False)
    assert texts(packing) == ["aaaa"]
    assert [unit.text for unit in packing.seen] == ["aaaa", "bbbbbbbbb"]


def test_knapsack_takes_the_score_a_token():
    # By density: a 0.2, c 0.167, b 0.09, d 0.05.
    assert texts(pack(ENTRIES, 13, packing="knapsack")) == ["aaaa", "cc", "d"]
    assert texts(pack(ENTRIES, 18, packing="knapsack")) == ["aaaa", "bbbbbbbbb", "cc"]


def test_knapsack_takes_the_best_single_entry_where_it_is_worth_more_than_all_of_the_dense():
    entries = units(("x" * 19, 10.0), ("yyyy", 3.0))
    # Dense first would take 3.0 of 5 and leave no room for 10.0 of 20.
    assert texts(pack(entries, 20, packing="knapsack")) == ["x" * 19]


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 20)), min_size=1, max_size=9),
    st.integers(0, 25),
)
def test_knapsack_is_worth_at_least_half_of_the_best_choice(items, room):
    entries = [Unit("", (), place, float(score)) for place, (_, score) in enumerate(items)]
    weight = [size for size, _ in items]
    chosen = by_density(entries, range(len(items)), weight, room)
    assert len(set(chosen)) == len(chosen)
    assert sum(weight[place] for place in chosen) <= room
    best = max(
        sum(items[place][1] for place in some)
        for size in range(len(items) + 1)
        for some in combinations(range(len(items)), size)
        if sum(weight[place] for place in some) <= room
    )
    assert 2 * sum(items[place][1] for place in chosen) >= best


def test_negative_scores_are_worth_nothing_and_ties_go_by_rank():
    entries = units(("aa", -5.0), ("bb", -1.0), ("cc", 0.0))
    assert texts(pack(entries, 3, packing="knapsack")) == ["aa"]
    assert in_turn([2, 0, 1], [2, 2, 1], 3) == [2, 0]


# -- novelty ---------------------------------------------------------------------------------------


def novelty(
    terms: Sequence[Sequence[int]], scores: Sequence[float], diversity: float = 0.5, overlap: float = 1.0
):
    """Entries over terms that are worth 1 each, or by their number over 10."""
    entries = [Unit("", (str(place),), place, score) for place, score in enumerate(scores)]
    text = SimpleNamespace(idf=np.ones(30), terms_at=lambda place: np.array(terms[place], dtype=np.int64))
    index: Any = SimpleNamespace(text=text, position=int)
    return Novelty(entries, index, diversity, overlap)


def choose(
    found: Novelty, size: int, room: int = 100, there: Sequence[int] = ()
) -> tuple[list[int], list[int]]:
    left = [place for place in range(size) if place not in there]
    return found.choose(left, there, np.ones(size, dtype=np.int64), room)


def test_an_entry_that_says_something_new_goes_before_a_better_one_that_does_not():
    # Gains: first 0.5; then 0.5 × 0.9 - 0.5 × 1 = -0.05 against 0.5 × 0.6 - 0 = 0.3.
    assert choose(novelty([[1, 2], [1, 2], [3]], [1.0, 0.9, 0.6]), 3) == ([0, 2, 1], [])
    assert choose(novelty([[1, 2], [1, 2], [3]], [1.0, 0.9, 0.6], diversity=0.0), 3) == ([0, 1, 2], [])


def test_overlap_is_with_all_that_is_written_together():
    # The last has one term of each of the first two: overlap 1, gain 0.5 × 0.9 - 0.5 = -0.05.
    terms = [[1, 2], [3, 4], [5], [1, 3]]
    assert choose(novelty(terms, [1.0, 0.95, 0.1, 0.9]), 4)[0] == [0, 1, 2, 3]


def test_an_entry_that_is_said_already_is_left_out_as_redundant():
    terms = [[1, 2], [1, 2], [1, 2, 3], [4]]
    assert choose(novelty(terms, [1.0, 0.9, 0.8, 0.1], overlap=0.7), 4) == ([0, 2, 3], [1])
    assert choose(novelty(terms, [1.0, 0.9, 0.8, 0.1], overlap=0.6), 4) == ([0, 3], [1, 2])


def test_what_is_there_counts_as_written():
    assert choose(novelty([[1], [1], [2]], [1.0, 0.9, 0.8]), 3, there=[0]) == ([2, 1], [])


def test_entries_without_terms_overlap_with_nothing():
    assert choose(novelty([[], [], [1]], [1.0, 0.9, 0.8]), 3) == ([0, 1, 2], [])
    assert choose(novelty([], []), 0) == ([], [])


def test_scores_of_zero_and_below_leave_it_to_novelty_and_rank():
    assert choose(novelty([[1], [1], [2]], [0.0, 0.0, -1.0]), 3) == ([0, 2, 1], [])


def test_rare_terms_count_more_than_common_ones():
    found = novelty([[1], [1, 2], [1, 3]], [1.0, 0.5, 0.5])
    weights = np.ones(30)
    weights[3] = 9.0
    entries = [Unit("", (str(place),), place, score) for place, score in enumerate([1.0, 0.5, 0.5])]
    text = SimpleNamespace(idf=weights, terms_at=lambda place: np.array([[1], [1, 2], [1, 3]][place]))
    rare = Novelty(entries, SimpleNamespace(text=text, position=int), 0.5, 1.0)  # type: ignore[arg-type]
    assert choose(found, 3)[0] == [0, 1, 2]
    assert choose(rare, 3)[0] == [0, 2, 1]


def test_diverse_passages_leave_out_what_repeats():
    nodes = [
        node("a", "Harbour", text="The harbour keeps a register of ships."),
        node("b", "Harbours", text="The harbours keep registers of a ship."),
        node("c", "Pump", text="Seal four fails above eighty degrees."),
    ]
    nodes_, index = ranked(nodes)
    context = written(Passages(PassagesParams(packing="diverse")), nodes_, index)
    assert context.node_ids == ("a", "c")
    assert context.left_out == {"b": "redundant"}
    assert written(Passages(PassagesParams(packing="diverse", max_overlap=1)), nodes_, index).written == 3


# -- the budget ------------------------------------------------------------------------------------


class Steps:
    """A counter for which the whole is less than its parts: ten characters a token, rounded up."""

    def count(self, text: str) -> int:
        return -(-len(text) // 10)


def test_room_that_rounding_left_over_is_filled():
    entries = units(*[("x", 1.0)] * 40)
    # Each takes a token alone, and ten take two together.
    assert len(texts(pack(entries, 6, Steps()))) == 30
    # By weights alone it would be 6; each of four rounds fills the room that the one before has left.
    assert len(texts(pack(entries, 6, Steps(), packing="knapsack"))) == 23


class Growing:
    """A counter for which the whole is more than its parts: the square of the length."""

    def count(self, text: str) -> int:
        return len(text) ** 2


@pytest.mark.parametrize("packing", ["greedy", "knapsack"])
def test_entries_whose_weights_add_up_to_too_little_go_again(packing):
    entries = units(*[("x", 1.0)] * 40)
    # Each takes 4 alone, and n take (2n)² together.
    assert len(texts(pack(entries, 100, Growing(), packing=packing))) == 5


def test_the_passes_over_a_hopeless_budget_are_few():
    asked: list[str] = []

    class Counter:
        def count(self, text: str) -> int:
            asked.append(text)
            return 1 + len(text)

    assert texts(pack(units(*[("x" * 50, 1.0)] * 100), 20, Counter())) == []
    assert len(asked) < 300


def test_what_is_written_before_counts_as_well():
    counter = After(After(Characters(), "12345"), "67")
    assert counter.count("8") == 8
    assert alone(counter)("8") == 1


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.text("ab", max_size=12), st.floats(-1, 1)), max_size=25),
    st.integers(0, 120),
    st.sampled_from(["greedy", "knapsack"]),
    st.sampled_from([Characters(), Steps(), Growing()]),
    st.booleans(),
)
def test_whatever_is_chosen_fits_and_nothing_is_chosen_twice(entries, budget, packing, counter, skip):
    found = pack(units(*entries), budget, counter, packing=packing, skip=skip)
    ranks = [unit.rank for unit in found.chosen]
    assert len(set(ranks)) == len(ranks)
    assert not found.chosen or found.frame.size(found.chosen) <= budget


# -- pool and reasons ------------------------------------------------------------------------------


def test_nodes_behind_the_pool_are_left_out_for_that():
    nodes, index = ranked([node("a"), node("b"), node("c"), node("d")])
    context = written(Triples(TriplesParams(pool=2)), nodes, index, len("a (concept)"))
    assert context.node_ids == ("a",)
    assert (context.left_out, context.rest) == ({"b": "budget"}, "pool")
    whole = written(Triples(TriplesParams(pool=4)), nodes, index, len("a (concept)"))
    assert (whole.left_out, whole.rest) == ({}, "budget")


def test_case_59_a_budget_below_the_header_ends_at_once_with_one_note():
    nodes, index = ranked([node("a"), node("b")])
    context = written(Triples(TriplesParams(header="A header of 24 characters"[:24])), nodes, index, 20)
    assert context.text == ""
    assert context.notes == ("nothing fits: the best entry takes 36 tokens, and there are 20",)


def test_a_node_is_read_only_as_far_as_needed():
    nodes, index = ranked([node(f"n{place}", text="One. Two.") for place in range(9)])
    source = iter(nodes)
    Triples(TriplesParams(pool=3)).assemble(source, Query("x"), index, Characters(), 100)
    assert len(list(source)) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"packing": "best"},
        {"pool": 0},
        {"pool": 10_001},
        {"diversity": 1.1},
        {"max_overlap": -0.1},
        {"skip": 1},
    ],
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        PackedParams.model_validate(wrong, strict=True)


def test_an_index_is_not_analysed_unless_novelty_is_asked_for():
    nodes, index = ranked([node("a", text="One.")])
    written(Passages(), nodes, index)
    assert index._text is None
