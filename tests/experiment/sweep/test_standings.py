"""Means reckoned row by row are those of all rows at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag_pipeline.experiment.halves import choose, in_half_a
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Resampling
from graphrag_pipeline.experiment.sweep.results import STORE, read_sweep
from graphrag_pipeline.experiment.sweep.selection import chosen, ranked
from graphrag_pipeline.experiment.sweep.standings import read_standings, read_values
from graphrag_pipeline.experiment.sweep.store import Layout, Store, StoredPoint, StoredRow

QUERIES = tuple(f"q{number}" for number in range(12))
MEASURES = ("nDCG@10", "tokens")
VALUES = st.floats(0, 1) | st.just(math.nan)


def store_of(directory, values, failed=()):
    """A store of values by point, query and measure; None where a point has not run."""
    with Store.open(directory / STORE, {}, Layout("set", ("key",), QUERIES, MEASURES)) as store:
        store.add_points(
            StoredPoint(number, {"key": str(number)}, f"{number:064x}", (f"key={number}",))
            for number in range(len(values))
        )
        for query in range(len(QUERIES)):
            rows = [
                StoredRow(
                    *(point, "failed" if (point, query) in failed else "done", tuple(row[query])),
                    *(0.25 * (query + 1), "", ""),
                )
                for point, row in enumerate(values)
                if row[query] is not None
            ]
            store.write(query, rows)


def a_table(points):
    row = st.tuples(VALUES, st.floats(0, 1e6))
    return st.lists(
        st.lists(row, min_size=len(QUERIES), max_size=len(QUERIES)), min_size=points, max_size=points
    )


@settings(max_examples=25)
@given(table=a_table(4))
def test_means_are_the_exact_sums_of_the_rows(tmp_path_factory, table):
    directory = tmp_path_factory.mktemp("sweep")
    store_of(directory, table)
    found = read_standings(directory)
    for point, row in enumerate(table):
        for measure in range(len(MEASURES)):
            for means, queries in (
                (found.mean, range(len(QUERIES))),
                (found.mean_on_a, [at for at, query in enumerate(QUERIES) if in_half_a(query)]),
            ):
                there = [row[query][measure] for query in queries if not math.isnan(row[query][measure])]
                expected = math.fsum(there) / len(there) if there else math.nan
                assert means[measure, point] == pytest.approx(expected, rel=1e-15, nan_ok=True)
    whole = read_sweep(directory)
    np.testing.assert_allclose(found.mean, whole.means(), rtol=1e-12)
    assert [point.status for point in found.points] == [point.status for point in whole.points]


@settings(max_examples=15)
@given(table=a_table(5))
def test_the_choice_is_that_among_all_points_and_is_held_against_a_worse_one(tmp_path_factory, table):
    table = [[(0.5 if math.isnan(value) else value, tokens) for value, tokens in row] for row in table]
    directory = tmp_path_factory.mktemp("sweep")
    store_of(directory, table)
    values = np.array(table)[:, :, :1].transpose(2, 0, 1)
    runs = tuple(map(str, range(len(table))))
    how = Resampling(draws=10)
    [expected] = choose(Scores(QUERIES, runs, MEASURES[:1], values), None, how).choices
    found = chosen(read_standings(directory), how)
    assert found is not None
    [choice] = found.choices
    assert (choice.chosen, choice.in_sample, choice.held_out, choice.interval) == (
        *(expected.chosen, expected.in_sample, expected.held_out),
        expected.interval,
    )
    on_a = [query for query in range(len(QUERIES)) if in_half_a(QUERIES[query])]
    means = [math.fsum(values[0, point, on_a]) / len(on_a) for point in range(len(table))]
    worse = [mean for mean in means if mean < choice.in_sample]
    assert means[int(choice.rival)] == (max(worse) if worse else choice.in_sample)


def test_values_of_some_points_are_theirs(tmp_path):
    table = [[(point + query / 100, 1.0) for query in range(len(QUERIES))] for point in range(4)]
    store_of(tmp_path, table)
    found = read_values(tmp_path, [3, 1])
    assert found.shape == (2, 2, len(QUERIES))
    assert found[0, 0].tolist() == [1 + query / 100 for query in range(len(QUERIES))]
    assert found[0, 1].tolist() == [3 + query / 100 for query in range(len(QUERIES))]


def test_less_is_better_for_tokens_and_what_has_no_mean_comes_last(tmp_path):
    table = [[(math.nan, tokens)] * len(QUERIES) for tokens in (30.0, 10.0, 20.0)]
    table[2] = [(0.5, 20.0)] * len(QUERIES)
    store_of(tmp_path, table)
    found = read_standings(tmp_path)
    assert ranked(found, "tokens") == [1, 2, 0]
    assert ranked(found, "nDCG@10") == [2, 0, 1]


def test_points_are_unfinished_done_or_failed(tmp_path):
    row = [(0.5, 1.0)] * len(QUERIES)
    failed = {(1, query) for query in range(len(QUERIES))} | {(2, 0)}
    store_of(tmp_path, [[None, *row[1:]], row, row], failed)
    found = read_standings(tmp_path)
    assert [(point.status, point.failed) for point in found.points] == [
        ("unfinished", 0),
        ("failed", len(QUERIES)),
        ("done", 1),
    ]
    assert found.points[1].seconds == pytest.approx(0.25 * 6.5)
