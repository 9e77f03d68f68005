from __future__ import annotations

import sys

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.export.formats import export, writer_for
from graphrag_pipeline.graph.reading.files import looks_like, need, read_json, read_text
from graphrag_pipeline.graph.sources.auto import AutoGraph
from tests.graph.sources.files import written
from tests.tiny import index_of


def without(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a package one that is not installed."""
    for name in [*sys.modules, package]:
        if name.partition(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize(
    ("names", "package", "extra"),
    [
        (["g.ttl"], "pyoxigraph", "rdf"),
        (["nodes.parquet"], "pyarrow", "arrow"),
        (["entities.parquet", "relationships.parquet"], "pyarrow", "arrow"),
    ],
)
def test_a_source_without_its_package_says_what_to_install(tmp_path, monkeypatch, names, package, extra):
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name in names:
        if package == "pyarrow":
            pq.write_table(pa.table({"id": ["a"], "title": ["A"]}), tmp_path / name)
        else:
            written(tmp_path / name, "<urn:a> <urn:b> <urn:c> .")
    without(package, monkeypatch)
    path = tmp_path if package == "pyarrow" else tmp_path / names[0]
    with pytest.raises(
        GraphSourceError, match=f"need the package {package}, which is not installed"
    ) as error:
        AutoGraph(AutoGraph.Params(path=str(path))).load()
    assert error.value.hint.startswith(f'Install it: pip install "graphrag-pipeline[{extra}]"')


@pytest.mark.parametrize(("name", "package"), [("o.ttl", "pyoxigraph"), ("o", "pyarrow")])
def test_a_format_without_its_package_writes_nothing(tmp_path, monkeypatch, name, package):
    without(package, monkeypatch)
    writer = writer_for(tmp_path / name, "turtle" if name == "o.ttl" else "parquet")
    with pytest.raises(GraphSourceError, match=package):
        export(index_of("a"), tmp_path / name, writer)
    assert list(tmp_path.iterdir()) == []


def test_a_package_that_is_there_is_imported():
    assert need("json", "arrow", "Tests").dumps([]) == "[]"


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"", "The file is empty."),
        (b" \n", "The file is empty."),
        (b"\xef\xbb\xbf<!DOCTYPE HTML>", "It looks like an HTML page."),
        (b"<?xml version='1.0'?><a/>", "It looks like XML."),
        (b"PK\x03\x04", "It looks like a ZIP archive."),
        (b"\x80\x04\x95", "It looks like a Python pickle; these can run code and are never read."),
        (b"a\0b", "It looks like a binary file."),
        (b"hello", ""),
    ],
)
def test_a_file_is_told_by_its_start(start, what):
    assert looks_like(start) == what


def test_text_that_is_not_utf_8_is_named_by_its_byte(tmp_path):
    with pytest.raises(GraphSourceError, match="byte 1 is 0xfc") as error:
        read_text(written(tmp_path / "g", b"M\xfchle"))
    assert error.value.hint == "Convert it to UTF-8."


def test_json_that_was_cut_off_is_said_to_be(tmp_path):
    path = written(tmp_path / "g.json", '{"nodes": [1, 2')
    with pytest.raises(GraphSourceError) as error:
        read_json(path)
    assert error.value.where == f"{path}:1:16"
    assert error.value.hint == "It ends too early: copy or download it again."
