"""The real files beside the repository: every one loads, or is refused with a message; the page says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag_pipeline import GraphSourceError, load_pipeline
from graphrag_pipeline.config.overrides import literal
from graphrag_pipeline.graph.sources.auto import AutoGraph
from tests.graph.sources.families import DATA, FAMILIES, NO_DATA, NO_GRAPHS, files, table
from tests.graph.sources.files import shared

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sources.md"


@shared
def test_the_page_shows_what_real_files_load_to():
    shown = PAGE.read_text("utf-8").partition("<!-- families -->\n")[2].partition("\n## ")[0]
    assert shown.strip() == table().strip()


@shared
def test_every_file_of_the_formats_is_in_a_family_or_is_no_graph():
    folders = ("formats", "archimate", "bug_files")
    there = {path for folder in folders for path in (DATA / folder).rglob("*") if path.is_file()}
    covered = [path for family in FAMILIES for pattern in family.paths for path in files(family, pattern)]
    covered += [path for pattern in NO_GRAPHS for path in DATA.glob(pattern)]
    left = [path for path in there if not any(path == one or one in path.parents for one in covered)]
    texts = (".md", ".yaml", ".txt", ".jsonl", ".csv")
    known = (*NO_DATA, "models.json")
    assert [path for path in sorted(left) if path.suffix not in texts and path.name not in known] == []


@shared
@pytest.mark.parametrize("pattern", NO_GRAPHS)
def test_what_is_no_graph_is_refused_or_read_as_a_table(pattern):
    for path in DATA.glob(pattern):
        source = AutoGraph(AutoGraph.Params(path=str(path)))
        if path.name == "properties.csv":
            assert source.load().report.notes[0].startswith("detected as csv")
            continue
        with pytest.raises(GraphSourceError) as refused:
            source.load()
        assert refused.value.hint


QUERIES = [
    ("formats/msgraphrag/v0.1.1", "alex mercer"),
    ("formats/msgraphrag/v1.0.0", "scrooge"),
    ("formats/msgraphrag/v2.7.2", "agent"),
    ("formats/msgraphrag/v3.1.2", "scrooge"),
    ("bug_files/ms_graphrag/v0.4.0", "scrooge"),
    ("bug_files/ms_graphrag/v2.0.0", "scrooge"),
    ("formats/lightrag/lightrag-vi-books", "nhã nam"),
    ("formats/lightrag/nano-dickens", "gutenberg"),
    ("formats/hipporag/openie_musique_train_results_ner_gpt-3.5-turbo-1106.json", "physics"),
    ("formats/llamaindex", "alex mercer"),
    ("archimate/zoo/model.archimate", "zoo"),
    ("archimate/zoo/model.xml", "zoo"),
    ("formats/skos-turtle/yso.ttl", "music"),
]


@shared
@pytest.mark.parametrize(("path", "text"), QUERIES)
def test_one_line_of_configuration_and_a_query_finds_something(path, text):
    overrides = ["graph=auto", f"graph.path={literal(str(DATA / path))}", "bridge=noop", "personas=none"]
    pipeline = load_pipeline([*overrides, "index.cache_dir=null"])
    result = pipeline.run(text)
    labels = {node.node_id: node.label.lower() for node in result.nodes}
    assert text in labels[result.scored[0][0]]


@shared
def test_cells_make_a_model_filterable():
    path = DATA / "archimate/zoo/model.archimate"
    overrides = ["graph=archimate", f"graph.path={literal(str(path))}", "bridge=noop"]
    found = load_pipeline([*overrides, "query.cell=architect:how"]).run("zoo")
    assert found.nodes
    assert {str(node.properties["zachman_cell"]).partition(":")[0] for node in found.nodes} == {"architect"}
