"""Comparisons: what holds for any runs, and the cases at the edges."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.comparison import compare
from graphrag_pipeline.experiment.halves import in_half_a
from graphrag_pipeline.experiment.letters import letters
from graphrag_pipeline.experiment.markup import latex, markdown
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Resampling
from graphrag_pipeline.experiment.sections import sections
from graphrag_pipeline.experiment.statistics import paired

HOW = Resampling(draws=200)
VALUE = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.6309297535714575, 0.9, 1.0])
ROWS = st.lists(st.tuples(VALUE, VALUE), min_size=1, max_size=40)


def scores_of(values, runs=None, queries=None, measures=("m",)) -> Scores:
    table = np.array(values, dtype=float)
    return Scores(
        queries=tuple(queries or (f"q{place:03}" for place in range(table.shape[-1]))),
        runs=tuple(runs or (f"r{place}" for place in range(table.shape[-2]))),
        measures=measures,
        values=table.reshape(len(measures), *table.shape[-2:]),
    )


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_swapping_two_runs_turns_signs_and_nothing_else(rows):
    first, second = np.array(rows).T
    there, back = paired(first, second, HOW), paired(second, first, HOW)
    assert back.difference == -there.difference
    assert (back.wins, back.ties, back.losses) == (there.losses, there.ties, there.wins)
    assert (back.p, back.detectable) == (there.p, there.detectable)
    assert back.effect == (None if there.effect is None else -there.effect)
    assert back.win_share == pytest.approx(1 - there.win_share)
    if there.interval is not None and back.interval is not None:
        assert (back.interval.low, back.interval.high) == (-there.interval.high, -there.interval.low)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_queries_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    first, second = np.array(rows).T
    shuffled_first, shuffled_second = np.array(shuffled).T
    assert paired(first, second, HOW) == paired(shuffled_first, shuffled_second, HOW)


@settings(max_examples=30, deadline=None)
@given(st.lists(VALUE, min_size=1, max_size=40))
def test_identical_runs_do_not_differ(values):
    found = compare(scores_of([values, values]), HOW)
    (pair,) = found.pairs
    assert (pair.paired.p, pair.holm, pair.benjamini_hochberg) == (1.0, 1.0, 1.0)
    assert (pair.paired.difference, pair.paired.effect, pair.paired.win_share) == (0.0, 0.0, 0.5)
    assert pair.paired.ties == len(values)
    assert [standing.letters for standing in found.standings] == ["a", "a"]
    assert found.contrasts == ()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.data())
def test_runs_share_a_letter_exactly_when_they_do_not_differ(count, data):
    every = list(combinations(range(count), 2))
    different = data.draw(st.sets(st.sampled_from(every)))
    found = letters(count, different)
    for first, second in every:
        assert ((first, second) in different) == (not set(found[first]) & set(found[second]))
    assert all(found)
    assert "a" in found[0]


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_corrections_never_make_a_p_value_smaller(rows):
    first, second = np.array(rows).T
    for pair in compare(scores_of([first, second, second[::-1]]), HOW).pairs:
        assert pair.paired.p <= pair.benjamini_hochberg + 1e-12
        assert pair.benjamini_hochberg <= pair.holm + 1e-12
        assert 0 < pair.holm <= 1


def clear(count: int = 60) -> Scores:
    base = np.random.default_rng(2).random(count)
    return scores_of([base * 0.2, base * 0.2 + 0.5, base * 0.2 + 0.501], runs=("low", "mid", "high"))


def test_the_best_run_comes_first_and_has_the_letter_a():
    found = compare(clear(), HOW)
    assert [(standing.run, standing.letters) for standing in found.standings] == [
        ("high", "a"),
        ("mid", "b"),
        ("low", "c"),
    ]
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("low", "mid"),
        ("low", "high"),
        ("mid", "high"),
    ]


def test_with_a_baseline_every_other_run_is_compared_with_it_alone():
    found = compare(clear(), HOW, baseline="mid")
    assert [(pair.first, pair.second) for pair in found.pairs] == [("low", "mid"), ("high", "mid")]
    assert [(standing.run, standing.letters) for standing in found.standings] == [
        ("high", "*"),
        ("mid", ""),
        ("low", "*"),
    ]


def test_a_further_run_changes_no_figure_of_the_others():
    scores = clear()
    two = compare(scores_of(scores.values[0][:2]), HOW)
    three = compare(scores_of(scores.values[0]), HOW)
    assert two.pairs[0].paired == three.pairs[0].paired


def test_queries_that_differ_most_come_first_and_equal_ones_by_id():
    found = compare(scores_of([[0, 0.5, 1, 0.2], [1, 0.5, 0, 0.4]], queries="abcd"), HOW, most=2)
    assert [(contrast.query, contrast.values) for contrast in found.contrasts] == [
        ("a", (0.0, 1.0)),
        ("c", (1.0, 0.0)),
    ]
    assert len(compare(scores_of([[0, 0.5, 1], [1, 0.5, 0]]), HOW, most=9).contrasts) == 2
    assert compare(scores_of([[0, 1], [1, 0]]), HOW, most=0).contrasts == ()


def test_one_query_gives_no_interval_and_no_finding():
    found = compare(scores_of([[0.0], [1.0]], queries=["only"]), HOW)
    statistics = found.pairs[0].paired
    assert (statistics.p, statistics.interval, statistics.effect, statistics.detectable) == (
        1,
        None,
        None,
        None,
    )
    shown = [section for section in sections(found) if section.title == "Means over 1 query"]
    assert [cell.text for cell in shown[0].rows[0]] == ["r1", "1.0000", "–"]


@pytest.mark.parametrize(
    ("scores", "options", "what"),
    [
        (scores_of(np.zeros((2, 0))), {}, "no query is judged"),
        (scores_of([[1.0]]), {}, "2 to 26 runs, not of 1"),
        (scores_of(np.zeros((27, 1))), {}, "2 to 26 runs, not of 27"),
        (scores_of([[1.0], [0.0]]), {"baseline": "x"}, "There is no run 'x'"),
        (scores_of([[1.0], [0.0]]), {"split": True}, "cannot be split"),
    ],
)
def test_what_cannot_be_compared_is_refused(scores, options, what):
    with pytest.raises(DatasetError, match=what):
        compare(scores, HOW, **options)


def test_a_split_chooses_on_one_half_and_reports_on_the_other():
    queries = [f"q{place:03}" for place in range(40)]
    in_a = np.array([in_half_a(query) for query in queries])
    assert 10 <= in_a.sum() <= 30
    # Lucky is the best on half A, and worthless on half B.
    lucky, fair, poor = np.where(in_a, 1.0, 0.0), np.full(40, 0.6), np.full(40, 0.1)
    scores = scores_of([poor, fair, lucky], runs=("poor", "fair", "lucky"), queries=queries)
    split = compare(scores, HOW, split=True).split
    assert split is not None
    (choice,) = split.choices
    assert (choice.chosen, choice.in_sample, choice.held_out) == ("lucky", 1.0, 0.0)
    assert choice.rival == "fair"
    assert choice.rival_held_out == pytest.approx(0.6)
    assert choice.against.difference == pytest.approx(-0.6)
    assert (split.queries_a, split.queries_b) == (in_a.sum(), 40 - in_a.sum())
    assert choice.against.queries == split.queries_b
    with_baseline = compare(scores, HOW, split=True, baseline="poor").split
    assert with_baseline is not None
    assert with_baseline.choices[0].rival == "poor"
    itself = compare(scores, HOW, split=True, baseline="lucky").split
    assert itself is not None
    assert itself.choices[0].rival == "fair"


def test_halves_are_by_id_alone_and_never_change():
    assert "".join("BA"[in_half_a(f"q{place}")] for place in range(16)) == "ABAABABBBAAABAAB"
    assert in_half_a("\ud800") in {True, False}


def test_a_comparison_is_json():
    found = asdict(compare(clear(), HOW, split=True))
    assert json.loads(json.dumps(found))["pairs"][0]["paired"]["queries"] == 60


NASTY = r"a|b_c*`$&%#{}~^\<i>" + "\"'"


def test_names_are_escaped_in_markdown_and_latex():
    found = compare(scores_of([[0.0, 1.0], [1.0, 0.5]], runs=(NASTY, "問い"), queries=("x", NASTY)), HOW)
    as_markdown = "\n".join(map(markdown, sections(found)))
    assert r"a\|b\_c\*\`\$\&%\#{}\~^\\\<i\>" in as_markdown
    for line in as_markdown.splitlines():
        if line.startswith("| ") and "---" not in line:
            assert line.replace(r"\|", "").count("|") in {4, 5, 13}
    as_latex = "\n".join(map(latex, sections(found)))
    escaped = r"a\textbar{}b\_c*`\$\&\%\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}"
    assert escaped + r"\textless{}i\textgreater{}\symbol{34}" in as_latex
    assert "$-$0.2500" in as_latex


def test_latex_makes_no_ligatures_of_names_and_no_options_of_intervals():
    found = compare(scores_of([[0.0, 1.0, 0.0], [1.0, 0.5, 0.2]], runs=("a---b", "c-1")), HOW)
    as_latex = "\n".join(map(latex, sections(found)))
    assert "a-{}-{}-b" in as_latex
    assert "c-1" in as_latex
    assert " & [" not in as_latex
