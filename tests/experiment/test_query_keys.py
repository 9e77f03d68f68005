"""Keys of queries that are nearly known: they are told, and the keys of other programs are not."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import NearKey
from graphrag_pipeline.experiment.datasets.keys import KNOWN, near_keys
from graphrag_pipeline.experiment.datasets.load import load_dataset
from tests.tiny import index_of


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("maxhops", "max_hops"),
        ("maxHops", "max_hops"),
        ("max_hop", "max_hops"),
        ("personas", "persona"),
        ("persona_id", "persona"),
        ("Filters", "filters"),
        ("filter", "filters"),
        ("zachman_cell", "cell"),
        ("K", "k"),
        ("types", "type"),
        ("Text", "text"),
    ],
)
def test_a_key_is_near_but_for_a_letter_or_how_it_is_written(key, known):
    assert near_keys([{"id": "a"}, {key: 1}, {key: 2}]) == (NearKey(key, known, 2),)


@pytest.mark.parametrize(
    "key",
    [
        *KNOWN,
        *("title", "metadata", "context", "answer", "answers", "level", "hops", "qid", "idx", "question_id"),
        *("query_type", "question_type", "tags", "source", "difficulty", "supporting_facts", "text_id", ""),
    ],
)
def test_keys_that_are_known_and_those_of_other_programs_are_not_near(key):
    assert near_keys([{key: 1}]) == ()


def test_near_keys_are_counted_and_named_once(lines, tmp_path):
    lines(
        "queries.jsonl",
        {"id": "a", "text": "n", "maxhops": 1, "title": "t"},
        {"id": "b", "text": "n", "maxhops": 2, "Filters": {}},
    )
    dataset = load_dataset(DatasetSection(path=str(tmp_path)))
    assert dataset.questions[0].max_hops is None
    found = judge(dataset, index_of("n")).findings
    assert found.near_keys == (("maxhops", "max_hops", 2), ("Filters", "filters", 1))
    assert load_dataset(DatasetSection(path=str(tmp_path), limit=1)).near_keys == dataset.near_keys


def test_near_keys_change_no_digest(lines, tmp_path):
    lines("queries.jsonl", {"id": "a", "text": "n", "maxhops": 1})
    one = load_dataset(DatasetSection(path=str(tmp_path), name="s"))
    lines("queries.jsonl", {"id": "a", "text": "n"})
    assert load_dataset(DatasetSection(path=str(tmp_path), name="s")).digest == one.digest
