from __future__ import annotations

import pytest
from graphrag_mlflow.names import LONGEST_KEY, LONGEST_PARAM, flat_config, metric_name, shortened


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("nDCG@10", "nDCG_at_10"),
        ("P(rel=2)@5", "P_rel_2__at_5"),
        ("query/tokens", "query/tokens"),
        ("帳簿", "__"),
        ("", "_"),
        ("/", "_"),
        ("x" * 300, "x" * LONGEST_KEY),
    ],
)
def test_names_are_what_mlflow_takes(name, taken):
    assert metric_name(name) == taken


def test_a_config_becomes_dotted_keys_and_texts():
    config = {
        "query": {"k": 10, "text": None, "cell": "a:b"},
        "order": ["seed", "expand"],
        "empty": {},
        "on": True,
    }
    assert flat_config(config).params == {
        "query.k": "10",
        "query.text": "null",
        "query.cell": "a:b",
        "order": '["seed", "expand"]',
        "empty": "{}",
        "on": "true",
    }


def test_long_values_are_cut_and_counted():
    flat = flat_config({"a": {"long": "x" * 7000, "fits": "x" * LONGEST_PARAM}, "list": list(range(5000))})
    assert flat.cut == ("a.long", "list")
    assert {len(text) for text in flat.params.values()} == {LONGEST_PARAM}
    assert flat.params["a.long"].endswith("x…")


def test_keys_that_would_be_one_stay_two():
    assert flat_config({"a@b": 1, "a#b": 2}).params == {"a_b": "1", "a_b_2": "2"}


def test_half_a_character_pair_is_spelled_out():
    assert shortened("\udc80", 10) == "\\udc80"
