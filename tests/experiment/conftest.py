"""A question set over a graph of four nodes, whose values can be reckoned by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from tests.tiny import edge, index_of, node


@pytest.fixture
def index() -> GraphIndex:
    nodes = [
        node("audit", "audit log"),
        node("board", "review board"),
        node("ledger"),
        node("far", "far away"),
    ]
    return index_of(nodes, [edge("audit>board", "read_by"), edge("board>ledger", "keeps")])


@pytest.fixture
def questions() -> Dataset:
    return Dataset(
        "tiny",
        (Question("q1", "audit"), Question("q2", "far"), Question("q3", "tea"), Question("q4", "review")),
        {"q1": {"audit": 1, "ledger": 1}, "q2": {"far": 1, "river": 1}, "q3": {"ledger": 1}},
        paths={"q1": (("audit", "read_by", "board"), ("board", "keeps", "ledger"))},
    )


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of JSON Lines, or of text."""

    def write(name: str, *values: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = [
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values
        ]
        path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        return path

    return write
