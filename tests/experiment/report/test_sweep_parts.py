"""The parts of the report of a sweep, with figures that can be reckoned by hand."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.report.leaderboard import points_csv
from graphrag_pipeline.experiment.report.marginal import effects, swept_keys
from graphrag_pipeline.experiment.report.pareto import front
from graphrag_pipeline.experiment.report.standing import held_out, letters_of, ranking
from graphrag_pipeline.experiment.report.swept import swept_key
from tests.experiment.report.made import HOSTILE, large_sweep, small_sweep, swept
from tests.experiment.report.markup import check

NAN = float("nan")


def test_configs_come_by_their_mean_and_ties_keep_their_order() -> None:
    ranked = ranking(small_sweep([[0, 1], [1, 1], [1, 0], [1, 1]], {"a": ["1", "2", "3", "4"]}), None)
    assert (ranked.order, ranked.measure) == ((1, 3, 0, 2), "nDCG@10")


def test_a_query_without_judgements_is_in_no_mean() -> None:
    ranked = ranking(small_sweep([[0.5, NAN], [1, NAN]], {"a": ["1", "2"]}), "nDCG@10")
    assert ranked.judged.tolist() == [0]
    assert ranked.means[0].tolist() == [0.5, 1]


def test_a_config_that_did_not_run_to_the_end_is_in_no_ranking() -> None:
    found = small_sweep([[0.9, NAN], [0.5, 0.5], [NAN, NAN]], {"a": ["1", "2", "3"]})
    assert ranking(found, None).order == (1,)
    assert "1 configuration did not run to the end" in swept(found)


def test_of_what_is_spent_less_is_better() -> None:
    found = replace(small_sweep([[5, 7], [1, 1]], {"a": ["1", "2"]}), measures=("tokens",))
    ranked = ranking(found, "tokens")
    assert ranked.order == (1, 0)
    assert held_out(ranked) is None
    check(swept(found, measure="tokens"))


def test_a_measure_that_a_sweep_does_not_have_is_an_error_that_names_those_it_has() -> None:
    with pytest.raises(DatasetError, match="no measure 'AP'") as caught:
        ranking(small_sweep([[1]], {}), "AP")
    assert "nDCG@10" in caught.value.hint


def test_letters_tell_apart_what_differs_on_every_query() -> None:
    values = [[0.9] * 12, [0.9] * 11 + [0.8], [0.1] * 12]
    marks = letters_of(ranking(small_sweep(values, {"a": ["1", "2", "3"]}), None))
    assert marks == {0: "a", 1: "a", 2: "b"}


def test_the_best_is_reported_on_queries_that_had_no_part_in_the_choice() -> None:
    found = small_sweep([[0.2] * 20, [0.7] * 20], {"a": ["1", "2"]})
    choice = held_out(ranking(found, None))
    assert choice is not None
    split, best = choice
    assert split.queries_a + split.queries_b == 20
    assert best.chosen == "1"
    assert best.held_out == pytest.approx(0.7)
    text = swept(found)
    assert "in-sample" in text
    assert "which had no part in the choice" in text


def test_a_row_is_on_the_front_when_no_other_is_as_good_everywhere_and_better_somewhere() -> None:
    rows = np.array([[1.0, 1.0], [2.0, 0.0], [0.5, 0.5], [1.0, 1.0], [1.0, 0.5]])
    assert front(rows).tolist() == [True, True, False, True, False]


def test_values_of_a_key_keep_their_order_but_numbers_are_sorted() -> None:
    assert [group.name for group in swept_key("a", ["10", "9", "10"]).groups] == ["9", "10"]
    assert [group.name for group in swept_key("a", ["x", "b", "x"]).groups] == ["x", "b"]
    assert [group.points for group in swept_key("a", ["x", "b", "x"]).groups] == [(0, 2), (1,)]


def test_many_numbers_become_ranges_that_hold_every_config_once() -> None:
    key = swept_key("a", [str(value / 7) for value in range(50)])
    assert key.ranged
    assert sorted(point for group in key.groups for point in group.points) == list(range(50))
    assert len(key.groups) == 6
    assert key.groups[0].name == "0 … 1.143"


@pytest.mark.parametrize("odd", ["nan", "inf", "", "null"])
def test_what_is_no_finite_number_makes_a_key_one_of_texts(odd: str) -> None:
    assert swept_key("a", ["1", odd]).numbers is None


def test_the_effect_of_a_value_is_the_mean_over_its_configs() -> None:
    found = small_sweep([[0, 0.2], [0.4, 0.6], [1, 1], [1, 1]], {"a": list("xxyy"), "b": list("1212")})
    ranked = ranking(found, None)
    first, second = (effects(ranked, key) for key in swept_keys(ranked))
    assert [(entry.value, entry.configs) for entry in first] == [("x", 2), ("y", 2)]
    assert [entry.mean for entry in first] == pytest.approx([0.3, 1.0])
    assert [entry.value for entry in second] == ["1", "2"]
    assert [entry.mean for entry in second] == pytest.approx([0.55, 0.75])


def test_a_key_with_one_value_has_no_effect_to_show() -> None:
    ranked = ranking(small_sweep([[1], [0]], {"a": ["x", "x"], "b": ["1", "2"]}), None)
    assert [key.key for key in swept_keys(ranked)] == ["b"]


def test_the_file_of_configs_has_all_digits_and_every_config() -> None:
    found = small_sweep([[1, 0, 0], [NAN, NAN, NAN]], {"a": ["x,y", '"q"']})
    rows = list(csv.DictReader(io.StringIO(points_csv(ranking(found, None)))))
    assert [(row["point"], row["a"], row["nDCG@10"], row["status"]) for row in rows] == [
        ("0", "x,y", "0.3333333333333333", "done"),
        ("1", '"q"', "", "unfinished"),
    ]


def test_the_report_of_a_sweep_has_all_its_parts() -> None:
    page = swept(large_sweep(queries=40), {"digest": "d" * 64, "versions": {"numpy": "2"}})
    document = check(page)
    assert [part["id"] for part in document.all("section")] == [
        *("what-ran", "leaderboard", "pareto", "parallel", "marginal", "queries", "single-queries")
    ]
    assert "135 configurations on 40 queries of " in page
    assert len(document.all("figure")) == 2 + 1 + 3
    assert len(document.all("polyline")) == 135 + 2


def test_the_same_sweep_gives_the_same_bytes() -> None:
    found = small_sweep([[0.1, 0.9], [0.2, 0.3]], {"a": ["1", "2"]})
    assert swept(found) == swept(found)


def test_why_no_query_ran_again_is_told_as_it_is() -> None:
    unfinished = small_sweep([[NAN, NAN], [0.5, NAN], [NAN, 0.5]], {"a": ["1", "2", "3"]})
    assert "no configuration ran every judged query" in swept(unfinished, worst=20)
    assert "--queries N" not in swept(unfinished, worst=20)
    finished = small_sweep([[0.5, 0.5]], {"a": ["1"]})
    assert "<code>--queries N</code> asks for some" in swept(finished)


@pytest.mark.parametrize(
    "values", [[[1.0]], [[NAN, NAN]], [[0.0, 0.0], [0.0, 0.0]], [[]]], ids=["one", "none", "zeros", "empty"]
)
def test_a_sweep_of_next_to_nothing_has_a_report(values: list[list[float]]) -> None:
    check(swept(small_sweep(values, {"a": ["1", "2"]})))


def test_names_in_a_sweep_may_hold_anything() -> None:
    found = small_sweep([[0.1, 0.9], [0.2, 0.3]], {HOSTILE: [HOSTILE, "x" * 5000]}, dataset=HOSTILE)
    found = replace(found, measures=(HOSTILE,), queries=(HOSTILE, "q"))
    page = swept(found, {"python": HOSTILE, "plugins": [{"name": HOSTILE}]})
    document = check(page)
    assert not document.all("img")
    assert "\u202e" not in page
    assert "x" * 1000 not in page


def test_nothing_is_held_out_where_an_optimiser_was_told_of_all_queries() -> None:
    found = replace(small_sweep([[0.2] * 20, [0.7] * 20], {"a": ["1", "2"]}), half_b_is_free=False)
    assert held_out(ranking(found, None)) is None
    assert "An optimiser was told of all queries, so none is left to report on." in swept(found)
