"""The rows of a run: CSV and Parquet say the same."""

from __future__ import annotations

import csv
import sys

import pytest

from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.run_rows import as_csv, row_columns, write_parquet
from graphrag_pipeline.experiment.summary import GRAPH_VALUES
from tests.tiny import pipeline_of


@pytest.fixture
def columns(index, questions):
    odd = Dataset(
        "t", (*questions.questions, Question("\ud800", "x")), questions.relevance, paths=questions.paths
    )
    return row_columns(
        list(Evaluator(pipeline_of(index), judge(odd, index), ("RR", "AP"), 10).evaluated()), ("RR", "AP")
    )


def test_both_have_the_same_columns_and_cells(columns, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(tmp_path / "rows.parquet", columns)
    table = parquet.read_table(tmp_path / "rows.parquet")
    names = ["query", "kind", "status", "RR", "AP", *GRAPH_VALUES, "seconds"]
    rows = list(csv.DictReader(as_csv(columns).splitlines()))
    assert table.column_names == list(rows[0]) == names
    assert table["RR"].to_pylist() == [1, 1, 0, None, None]
    assert [row["RR"] for row in rows] == ["1.0", "1.0", "0.0", "", ""]
    assert table["candidates"].to_pylist() == [int(row["candidates"]) for row in rows]
    assert [str(kind) for kind in table.schema.types[:5]] == ["string"] * 3 + ["double"] * 2
    assert str(table.schema.field("tokens").type) == "int64"
    assert table["query"].to_pylist()[-1] == "\\ud800"


def test_without_pyarrow_there_is_a_note_and_no_file(columns, tmp_path, monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write_parquet(tmp_path / "rows.parquet", columns)
    assert not (tmp_path / "rows.parquet").exists()
    assert "graphrag-pipeline[experiment]" in caplog.text
