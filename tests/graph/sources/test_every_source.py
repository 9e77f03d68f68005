"""What holds for every source of files: the parameters that all have do the same everywhere."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.graph.sources.auto import HOMES
from tests.fuzz.seeds import seeds
from tests.graph.sources.files import load, written

SOURCES = sorted(set(HOMES) - {"index", "json", "msgraphrag"})
"""Those that read one file with all shared parameters; msgraphrag reads folders."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    return seeds(tmp_path_factory.mktemp("seeds"))


def loaded(name: str, data: bytes, folder: Any, **params: Any) -> GraphIndex:
    module, _, kind = HOMES[name].rpartition(".")
    source = getattr(import_module(f"graphrag_pipeline.graph.sources.{module}"), kind)
    index, _ = load(source, written(folder / "input", data), **params)
    return index


@pytest.mark.parametrize("name", SOURCES)
def test_a_table_of_cells_reaches_every_node(name, corpus, tmp_path):
    table = str(written(tmp_path / "t.yaml", "default: architect:what\n"))
    for data in corpus[name]:
        nodes = loaded(name, data, tmp_path, zachman=table).all_nodes()
        assert nodes
        assert {node.properties.get("zachman_cell") for node in nodes} == {"architect:what"}


@pytest.mark.parametrize("name", SOURCES)
def test_ends_that_are_made_leave_no_edge_dangling(name, corpus, tmp_path):
    for data in corpus[name]:
        assert loaded(name, data, tmp_path, unknown_ends="make").dangling_edges == 0


@pytest.mark.parametrize("name", sorted(set(SOURCES) - {"rdf"}))  # whose IRIs name a namespace
def test_a_namespace_is_that_of_records_that_name_none(name, corpus, tmp_path):
    index = loaded(name, corpus[name][0], tmp_path, namespace="zz")
    assert {node.namespace for node in index.all_nodes()} == {"zz"}
