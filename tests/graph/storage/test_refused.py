"""What is no sound index is refused by name, with what to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError
from graphrag_pipeline.graph.storage.manifest import read_manifest
from graphrag_pipeline.graph.storage.read import open_index, read_report
from graphrag_pipeline.graph.storage.write import write_index
from tests.graph.storage.conftest import everything


def refused(directory: Path, **how: bool) -> str:
    with pytest.raises(GraphSourceError) as error:
        open_index(directory, **how)
    assert error.value.where == str(directory)
    assert "graphrag-pipeline index build" in error.value.hint
    assert error.value.what.startswith("This is no index that can be opened: ")
    return error.value.what.removeprefix("This is no index that can be opened: ")


def data_of(directory: Path) -> Path:
    return directory / read_manifest(directory).data


def edited(directory: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest."""
    file = directory / "manifest.json"
    manifest = json.loads(file.read_text())
    change(manifest)
    file.write_text(json.dumps(manifest))


def test_a_flipped_byte_is_found_in_every_array(directory):
    files = sorted(data_of(directory).iterdir())
    assert len(files) > 25
    for file in files:
        raw = file.read_bytes()
        if len(raw) == 128:
            continue  # only numpy's header: the array is empty
        file.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
        said = refused(directory, verify=True)
        column = file.name.removesuffix(".start.npy")
        assert said in (
            f"{file.name} was changed after it was written.",
            f"the parts of {column} do not fit together.",
        )
        file.write_bytes(raw)
    open_index(directory, verify=True)


def test_a_flipped_byte_of_a_header_is_found_without_reading_everything(directory):
    for file in sorted(data_of(directory).iterdir()):
        raw = file.read_bytes()
        for place in (0, 20, 40):
            file.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
            assert file.name in refused(directory)
        file.write_bytes(raw)


@pytest.mark.parametrize("verify", [False, True])
def test_a_truncated_file_is_refused_by_name(directory, verify):
    for file in sorted(data_of(directory).iterdir()):
        raw = file.read_bytes()
        for kept in (raw[:-1], raw[:50], b"", raw + b"x"):
            file.write_bytes(kept)
            said = f"{file.name} has {len(kept)} bytes and not {len(raw)}."
            assert refused(directory, verify=verify) == said
        file.write_bytes(raw)


def test_a_missing_file_is_refused_by_name(directory):
    file = data_of(directory) / "node.label.blob.npy"
    file.unlink()
    assert refused(directory) == "node.label.blob.npy cannot be read (No such file or directory)."
    file.mkdir()
    assert refused(directory).startswith("node.label.blob.npy ")


def test_a_directory_without_a_manifest_is_refused(tmp_path):
    said = "manifest.json cannot be read (No such file or directory)."
    assert refused(tmp_path) == said
    assert refused(tmp_path / "missing") == said
    file = tmp_path / "file"
    file.write_text("x")
    assert refused(file) == "manifest.json cannot be read (Not a directory)."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "manifest.json is damaged (JSONDecodeError"),
        ('{"kind": "graphrag_pipeline index", "form', "manifest.json is damaged (JSONDecodeError"),
        ("[]", "manifest.json is not that of an index"),
        ("null", "manifest.json is not that of an index"),
        ('{"name": "my web app"}', "manifest.json is not that of an index"),
        ('{"kind": "graphrag_pipeline index"}', "it has format None, this version reads 1"),
        ('{"kind": "graphrag_pipeline index", "format": 1}', "manifest.json is damaged (KeyError: 'arrays')"),
    ],
)
def test_a_manifest_of_something_else_is_refused(directory, text, said):
    (directory / "manifest.json").write_text(text)
    assert refused(directory).startswith(said)


def test_a_manifest_that_is_no_text_is_refused(directory):
    (directory / "manifest.json").write_bytes(b"\xff\xfe")
    assert refused(directory).startswith("manifest.json cannot be read (")


def test_another_format_and_another_unicode_version_are_refused(directory):
    edited(directory, lambda manifest: manifest.update(format=99))
    assert refused(directory) == "it has format 99, this version reads 1."
    edited(directory, lambda manifest: manifest.update(format=1, unicode="3.2.0"))
    assert refused(directory).startswith("its text was lower-cased by Unicode 3.2.0, and this Python has ")


@pytest.mark.parametrize(
    "data", ["..", "../other", "/tmp", "data-x/../..", "", ".", "data-/../../x", "data-\\x"]
)
def test_a_manifest_that_points_outside_is_refused(directory, data):
    edited(directory, lambda manifest: manifest.update(data=data))
    assert refused(directory) == "manifest.json points outside the directory."


def test_an_array_whose_name_leads_outside_is_refused(directory):
    edited(directory, lambda manifest: manifest["arrays"].update({"../x": manifest["arrays"]["node.row"]}))
    assert refused(directory) == "manifest.json points outside the directory."


WRONG: list[Any] = [None, 7, -1, "x", [], {}, True, [None], {"x": None}, 1e400]


@pytest.mark.parametrize(
    "key", ["digest", "data", "counts", "names", "arrays", "report", "unicode", "format"]
)
def test_a_manifest_of_wrong_types_is_refused_or_right(directory, key):
    whole = (directory / "manifest.json").read_text()
    for value in WRONG:
        edited(directory, lambda manifest, value=value: manifest.update({key: value}))  # type: ignore[misc]
        # Anything but a GraphSourceError fails the test.
        with suppress(GraphSourceError):
            open_index(directory)
        (directory / "manifest.json").write_text(whole)


@pytest.mark.parametrize("key", ["dtype", "length", "bytes", "sha256"])
def test_an_array_described_wrongly_is_refused(directory, key):
    whole = (directory / "manifest.json").read_text()
    for value in WRONG:
        edited(directory, lambda manifest, value=value: manifest["arrays"]["node.row"].update({key: value}))  # type: ignore[misc]
        refused(directory, verify=True)
        (directory / "manifest.json").write_text(whole)
    for missing in ("node.row", "node.id.start", "lookup.key", "edge.exact.at"):
        edited(directory, lambda manifest, missing=missing: manifest["arrays"].pop(missing))  # type: ignore[misc]
        refused(directory)
        (directory / "manifest.json").write_text(whole)


def test_a_manifest_changed_in_content_is_found(directory):
    edited(directory, lambda manifest: manifest["names"].update({"node.type": ["x", "y"]}))
    assert refused(directory) == "its manifest was changed after it was written."


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("counts", {"dangling_edges": 1}),
        ("counts", {}),
        ("report", []),
    ],
)
def test_a_manifest_that_lacks_a_count_or_has_no_report_is_damaged(directory, key, value):
    edited(directory, lambda manifest: manifest.update({key: value}))
    assert refused(directory).startswith("manifest.json is damaged (")


FINDING = {"kind": "skipped", "what": "a row", "count": 1, "places": []}


@pytest.mark.parametrize(
    "report",
    [
        {"findings": []},
        {"findings": 7, "account": None, "notes": []},
        {"findings": [{**FINDING, "kind": "odd"}], "account": None, "notes": []},
        {"findings": [{**FINDING, "places": [7]}], "account": None, "notes": []},
        {"findings": [{**FINDING, "count": "1"}], "account": None, "notes": []},
        {"findings": [], "account": {"read": []}, "notes": []},
        {"findings": [], "account": {"read": {"a": "1"}}, "notes": []},
        {"findings": [], "account": {"odd": {}}, "notes": []},
        {"findings": [], "account": None, "notes": [7]},
    ],
)
def test_a_report_that_is_none_is_refused_where_it_is_read(directory, report):
    edited(directory, lambda manifest: manifest.update({"report": report}))
    with pytest.raises(GraphSourceError, match=r"manifest\.json is damaged"):
        read_report(directory, "g.json")


def test_an_array_file_with_objects_is_never_unpickled(directory):
    import numpy as np

    file = data_of(directory) / "node.row.npy"
    np.save(file, np.array([open], dtype=object), allow_pickle=True)
    edited(directory, lambda manifest: manifest["arrays"]["node.row"].update(bytes=file.stat().st_size))
    assert refused(directory).startswith("node.row.npy is damaged (")


# -- writing -----------------------------------------------------------------------------------


def listing(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize(
    "others",
    [
        {"thesis.txt": "years of work"},
        {"manifest.json": '{"name": "my web app"}'},
        {"manifest.json": "[]"},
        {"manifest.json": "{", "app.js": "x"},
        {"manifest.json": '{"kind": "x"}', "app.js": "x"},
        {"src/main.py": "x"},
    ],
)
def test_a_directory_with_other_things_is_not_touched(index, tmp_path, others):
    for name, text in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = listing(tmp_path)
    with pytest.raises(GraphSourceError, match="holds other things than an index") as error:
        write_index(index.table, tmp_path)
    assert error.value.where == str(tmp_path)
    assert error.value.hint == "Choose a new or an empty directory."
    assert listing(tmp_path) == before


def test_an_index_that_is_damaged_or_of_another_format_may_be_written_anew(index, directory):
    for text in ("", '{"kind": "graphrag_pipeline index", "format": 0}'):
        (directory / "manifest.json").write_text(text)
        write_index(index.table, directory)
        assert open_index(directory, verify=True).digest == index.digest


def test_what_a_dead_writer_left_goes_after_a_day_and_not_before(index, directory):
    old, young = directory / "data-0123.1", directory / ".building-x.2"
    for left in (old, young):
        left.mkdir()
    os.utime(old, (1, 1))
    write_index(index.table, directory)
    assert (old.exists(), young.exists()) == (False, True)


def test_a_place_that_cannot_be_written_is_told(index, tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(GraphSourceError, match="The index cannot be written: ") as error:
            write_index(index.table, place)
        assert str(tmp_path / "file") in error.value.where


FULL = """
import resource, sys
from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.storage.write import write_index
from tests.graph.storage.conftest import everything
from tests.tiny import index_of, node
index = index_of([node(str(n), "label " * 20) for n in range(300)])
for place, limit in zip(sys.argv[1::2], sys.argv[2::2]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
    try:
        write_index(index.table, place)
        said = "written"
    except GraphSourceError as error:
        said = error.what
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(said)
"""
FULL_DISKS = [(there, limit) for there in (False, True) for limit in (0, 100, 4000, 20_000)]


@pytest.fixture(scope="module")
def full_disks(root, tmp_path_factory) -> dict[tuple[bool, int], tuple[Path, object, str]]:
    """What a process that may write so much says, and the place before; one process tries them all."""
    home = tmp_path_factory.mktemp("disks")
    places = [home / f"{there}-{limit}" for there, limit in FULL_DISKS]
    for (there, _), place in zip(FULL_DISKS, places, strict=True):
        if there:
            write_index(everything().table, place)
    before = [listing(place) for place in places]
    tried = [
        str(each) for place, (_, limit) in zip(places, FULL_DISKS, strict=True) for each in (place, limit)
    ]
    done = subprocess.run(
        [sys.executable, "-c", FULL, *tried],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    said = done.stdout.splitlines()
    return dict(zip(FULL_DISKS, zip(places, before, said, strict=True), strict=True))


@pytest.mark.parametrize(("there", "limit"), FULL_DISKS)
def test_a_full_disk_leaves_no_half_of_an_index(full_disks, index, there, limit):
    place, before, said = full_disks[there, limit]
    assert said.startswith("The index cannot be written: ")
    if there:
        assert listing(place) == before
        assert open_index(place, verify=True).digest == index.digest
    else:
        assert list(place.iterdir()) == []


# -- several at once ---------------------------------------------------------------------------

WRITING = """
import sys, time
from graphrag_pipeline.graph.storage.write import write_index
from tests.graph.storage.conftest import everything
table = everything(sys.argv[2]).table
for _ in range(25):
    write_index(table, sys.argv[1])
"""


def test_two_processes_that_write_one_directory_leave_a_whole_index_and_readers_see_only_whole_ones(
    root, tmp_path
):
    place = tmp_path / "shared"
    write_index(everything("0").table, place)
    known = {everything(more).digest: more for more in "012"}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITING, str(place), more],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stderr=subprocess.PIPE,
        )
        for more in "12"
    ]
    seen: set[str] = set()
    try:
        while any(writer.poll() is None for writer in writers):
            opened = open_index(place)
            more = known[opened.digest]
            seen.add(more)
            assert opened.position(f"plain{more}") == 3
            assert GraphIndex(opened.table).digest == opened.digest
    finally:
        told = [writer.communicate()[1] for writer in writers]
    assert told == [b"", b""]
    assert seen & {"1", "2"}
    assert known[open_index(place, verify=True).digest] in "12"
    assert not [entry.name for entry in place.iterdir() if entry.name.startswith(".")]
