"""A run directory is whole or not there."""

from __future__ import annotations

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.run_directory import refuse_existing, whole_directory


def made(path, text="new", *, force=False):
    with whole_directory(path, force=force) as building:
        (building / "manifest.json").write_text(text)


def test_a_run_appears_at_the_end_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "runs" / "one"
    with whole_directory(path, force=False) as building:
        (building / "manifest.json").write_text("x")
        assert not path.exists()
    assert [entry.name for entry in path.parent.iterdir()] == ["one"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, RuntimeError])
def test_an_end_in_between_leaves_nothing(tmp_path, error):
    def half() -> None:
        with whole_directory(tmp_path / "one", force=False) as building:
            (building / "run.trec").write_text("half")
            raise error

    with pytest.raises(error):
        half()
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_there_survives_one_that_fails(tmp_path):
    made(tmp_path / "one", "old")
    with pytest.raises(RuntimeError), whole_directory(tmp_path / "one", force=True):
        raise RuntimeError
    assert (tmp_path / "one" / "manifest.json").read_text() == "old"
    made(tmp_path / "one", force=True)
    assert (tmp_path / "one" / "manifest.json").read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["one"]


def test_what_is_there_is_not_overwritten(tmp_path):
    made(tmp_path / "one")
    with pytest.raises(DatasetError, match="is there already"):
        made(tmp_path / "one")
    (tmp_path / "other").mkdir()
    refuse_existing(tmp_path / "other", force=False)
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(DatasetError, match="something else"):
        refuse_existing(tmp_path / "other", force=True)
