"""A run directory is whole or not there."""

from __future__ import annotations

import json

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


def test_files_that_no_run_writes_are_not_deleted_by_force(tmp_path):
    made(tmp_path / "one", "old")
    (tmp_path / "one" / "notes.txt").write_text("mine")
    (tmp_path / "one" / "figures").mkdir()
    with pytest.raises(DatasetError, match=r"holds what no run writes: figures, notes\.txt\.") as caught:
        refuse_existing(tmp_path / "one", force=True)
    assert "--force would delete it: move it elsewhere, or choose another directory" in caught.value.hint
    with pytest.raises(DatasetError, match=r"notes\.txt"):
        made(tmp_path / "one", force=True)
    assert (tmp_path / "one" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "one" / "manifest.json").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["one"]


def test_a_file_that_comes_while_a_run_is_made_is_kept(tmp_path):
    made(tmp_path / "one", "old")

    def run() -> None:
        with whole_directory(tmp_path / "one", force=True) as building:
            (building / "manifest.json").write_text("new")
            (tmp_path / "one" / "notes.txt").write_text("mine")

    with pytest.raises(DatasetError, match=r"notes\.txt"):
        run()
    assert (tmp_path / "one" / "notes.txt").read_text() == "mine"
    assert [entry.name for entry in tmp_path.iterdir()] == ["one"]


def test_many_files_are_counted(tmp_path):
    made(tmp_path / "one")
    for number in range(7):
        (tmp_path / "one" / f"{number}.txt").write_text("mine")
    with pytest.raises(DatasetError, match=r": 0\.txt, 1\.txt, 2\.txt, 3\.txt, 4\.txt, … and 2 more\."):
        refuse_existing(tmp_path / "one", force=True)


@pytest.mark.parametrize("manifest", [{"name": "a web page"}, {"kind": "graphrag-pipeline sweep"}, [1]])
def test_the_manifest_of_something_else_makes_no_run(tmp_path, manifest):
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DatasetError, match="something else than a run"):
        refuse_existing(tmp_path, force=True)


@pytest.mark.parametrize("name", ["n" * 250, "帳" * 80, "\U00020000" * 60])
def test_a_long_name_is_no_hindrance(tmp_path, name):
    for force in (False, True):
        made(tmp_path / name, force=force)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
