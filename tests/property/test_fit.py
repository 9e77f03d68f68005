"""The longest run of lines within a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.context.fit import longest_fit

lines = st.lists(st.text("ab", max_size=6), max_size=80)


def naive(head: str, given_lines: list[str], always: int, budget: int) -> list[str]:
    taken: list[str] = []
    for number, line in enumerate(given_lines):
        if number >= always and len("\n".join([head, *taken, line])) > budget:
            break
        taken.append(line)
    return taken


@given(lines, st.integers(0, 3), st.integers(0, 400))
def test_the_run_is_the_one_that_adding_line_by_line_gives(given_lines, always, budget):
    found = longest_fit("head", given_lines, always, len, budget)
    assert found == naive("head", given_lines, always, budget)


@given(st.integers(0, 3000))
def test_few_texts_are_measured(fitting: int):
    asked: list[str] = []

    def lines_of(text: str) -> int:
        asked.append(text)
        return text.count("\n")

    found = longest_fit("head", (str(number) for number in range(3000)), 0, lines_of, fitting)
    assert len(found) == fitting
    assert len(asked) <= 24


def test_lines_are_taken_only_as_far_as_needed():
    source = iter(range(10_000))
    longest_fit("head", map(str, source), 1, lambda text: text.count("\n"), 20)
    assert next(source) < 100


def test_lines_that_always_stay_are_not_measured():
    def measure(text: str) -> int:
        raise AssertionError("asked")

    assert longest_fit("head", ["a", "b"], 2, measure, 0) == ["a", "b"]
    assert longest_fit("head", [], 1, measure, 0) == []
