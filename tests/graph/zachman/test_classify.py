from __future__ import annotations

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeNode
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.formats import export, writer_for
from graphrag_pipeline.graph.sources.auto import AutoGraph
from graphrag_pipeline.graph.sources.json_file import JsonGraph, JsonGraphParams
from graphrag_pipeline.graph.sources.node_link import NodeLinkGraph
from graphrag_pipeline.graph.zachman.classify import classified, classify_nodes, confidence_note
from graphrag_pipeline.graph.zachman.tables import load_cell_table
from graphrag_pipeline.model.cell_table import CellTable
from tests.graph.sources.files import load, node, written

TABLE = CellTable.from_dict(
    {
        "cells": [{"gives": "executive:why", "type": "goal", "confidence": "high"}],
        "perspectives": [{"gives": "engineer", "type": "tool", "confidence": "low"}],
    },
    "mine",
)


def of(node_type, **properties):
    return KnowledgeNode(node_type, node_type, node_type, properties=properties)


def test_a_node_keeps_a_cell_that_can_be_read_and_loses_one_that_cannot():
    kept = of("goal", zachman_cell="architect:who")
    assert classified(kept, TABLE) == (kept, "")
    given, confidence = classified(of("goal", zachman_cell="nowhere"), TABLE)
    assert (given.properties["zachman_cell"], confidence) == ("executive:why", "high")


def test_what_came_of_it_is_counted():
    done = classify_nodes(
        [of("goal"), of("tool"), of("odd"), of("odd"), of("x", zachman_cell="architect")], TABLE
    )
    assert [entry.properties.get("zachman_cell") for entry in done.nodes] == [
        "executive:why",
        "engineer",
        None,
        None,
        "architect",
    ]
    assert (done.kept, done.given) == (1, {"high": 1, "low": 1})
    assert (done.unclassified, done.unclassified_types) == (("odd", "odd"), {"odd": 2})
    assert done.row_only == ("tool",)


def test_again_takes_the_cell_of_the_table_or_none():
    nodes = [of("goal", zachman_cell="architect:who"), of("odd", zachman_cell="architect:who")]
    done = classify_nodes(nodes, TABLE, again=True)
    assert [entry.properties.get("zachman_cell") for entry in done.nodes] == ["executive:why", None]
    assert done.kept == 0


def test_a_note_counts_by_confidence():
    assert confidence_note("mine", {"low": 1, "high": 2, "": 3}) == (
        "nodes that the table mine gave a Zachman cell: 6 (confidence: high 2, low 1)"
    )
    assert confidence_note("mine", {}) == "nodes that the table mine gave a Zachman cell: 0"


def test_a_source_classifies_while_it_reads(tmp_path):
    path = written(
        tmp_path / "g.json", '{"nodes": [{"id": "a", "type": "Goal"}, {"id": "b", "type": "x"}], "links": []}'
    )
    index, report = load(NodeLinkGraph, path, zachman="archimate")
    assert node(index, "a").properties == {"zachman_cell": "executive:why"}
    assert node(index, "b").properties == {}
    assert report.notes[-1] == "nodes that the table archimate gave a Zachman cell: 1 (confidence: high 1)"


@pytest.mark.parametrize("form", ["csv", "parquet", "graphml", "nodelink"])
def test_every_door_of_a_source_gives_cells(tmp_path, form):
    path = tmp_path / {"graphml": "g.graphml", "nodelink": "g.nodelink.json"}.get(form, form)
    export(GraphIndex.from_records([of("goal"), of("x")]), path, writer_for(path, form))
    loaded = AutoGraph(AutoGraph.Params(path=str(path), zachman="archimate")).load()
    cells = [entry.properties.get("zachman_cell") for entry in as_index(loaded.graph).all_nodes()]
    assert cells == ["executive:why", None]


def test_a_table_of_ones_own_is_part_of_what_a_cached_graph_is_found_by(tmp_path):
    graph = written(tmp_path / "g.json", '{"nodes": [{"node_id": "a", "node_type": "Goal", "label": "A"}]}')
    table = written(tmp_path / "t.yaml", "cells: [{gives: 'executive:why', type: goal}]")
    source = JsonGraph(JsonGraphParams(path=str(graph), zachman=str(table)))
    assert [entry.properties for entry in source.load().graph.all_nodes()] == [
        {"zachman_cell": "executive:why"}
    ]
    before = source.fingerprint()
    table.write_text("cells: [{gives: 'executive:what', type: goal}]")
    assert source.fingerprint() != before
    assert JsonGraph(JsonGraphParams(path=str(graph))).fingerprint() != before


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("cells: [{gives: !!python/name:os.system x, type: goal}]", "1:17"),
        ("# A table.\ncells: !local []\n", "2:8"),
    ],
)
def test_a_tag_in_a_table_is_refused_with_its_place(tmp_path, text, place):
    table = written(tmp_path / "t.yaml", text)
    with pytest.raises(GraphSourceError, match=r"the tag '.*' is not allowed") as error:
        load_cell_table(str(table))
    assert error.value.where.endswith(f"t.yaml:{place}")
