"""Graphs from JSON files, sound and broken."""

from __future__ import annotations

import json

import networkx as nx
import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
from graphrag_pipeline.graph.sources.json_file import JsonGraph, JsonGraphParams
from tests.tiny import graph_of

A = {"node_id": "a", "node_type": "concept", "label": "A"}


@pytest.fixture
def load(tmp_path):
    """Write a file and load it as a graph."""

    def _load(content: bytes | str | object, name: str = "g.json") -> LoadedGraph:
        if not isinstance(content, bytes | str):
            content = json.dumps(content)
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return JsonGraph(JsonGraphParams(path=str(path))).load()

    return _load


def refused(load, content, name: str = "g.json") -> GraphSourceError:
    with pytest.raises(GraphSourceError) as error:
        load(content, name)
    assert name in error.value.where
    return error.value


def test_a_graph_is_read_as_it_was_written(load):
    graph = graph_of("a b", "b>a a>ghost")
    loaded = load(graph.to_dict())
    assert loaded.graph.all_nodes() == graph.all_nodes()
    assert loaded.graph.all_edges() == graph.all_edges()
    assert loaded.report.findings == ()
    assert loaded.report.source.endswith("g.json")


def test_a_byte_order_mark_is_no_matter(load):
    assert load(b"\xef\xbb\xbf" + json.dumps({"nodes": [A]}).encode()).graph.node_count == 1


@pytest.mark.parametrize(
    "path", ["missing.json", "no/such/dir/g.json", "g.json/x", "", "nul\x00.json", "x" * 5000]
)
def test_a_file_that_is_not_there_is_refused(tmp_path, path):
    (tmp_path / "g.json").write_text("{}")
    target = str(tmp_path / path)
    with pytest.raises(GraphSourceError, match="cannot be read") as error:
        JsonGraph(JsonGraphParams(path=target)).load()
    assert error.value.where == target


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(GraphSourceError, match=r"cannot be read: Is a directory"):
        JsonGraph(JsonGraphParams(path=str(tmp_path))).load()


def test_a_file_that_is_not_utf8_is_refused_and_the_byte_named(load):
    assert "byte 9 is 0xff" in refused(load, b'{"nodes":\xff[]}').what
    assert "not UTF-8" in refused(load, json.dumps({"nodes": []}).encode("utf-16")).what


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"nodes": [\n  {"node_id": "a",}\n]}', "g.json:2:19"),
        ('{"nodes": []', "g.json:1:13"),
        ("{'nodes': []}", "g.json:1:2"),
        ('{"nodes": []} x', "g.json:1:15"),
        ("", "g.json:1:1"),
        ('{"nodes": ["a\nb"]}', "g.json:1:14"),
    ],
)
def test_a_syntax_error_names_line_and_column(load, text, place):
    assert refused(load, text).where.endswith(place)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("\n <!DOCTYPE html><html>404</html>", "It looks like an HTML page."),
        ("<HTML></HTML>", "It looks like an HTML page."),
        ("<?xml version='1.0'?><graphml/>", "It looks like XML."),
        (" \n\t", "The file is empty."),
    ],
)
def test_a_file_of_another_kind_is_recognised(load, text, hint):
    assert refused(load, text).hint == hint


def test_json_nested_too_deeply_is_refused_and_the_place_named(load):
    error = refused(load, '{"nodes": ["[[", \n' + "[" * 200_000)
    assert error.what == "The file cannot be read as JSON: lists and objects are nested too deeply."
    assert error.where.endswith("g.json:2:199")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ([], "a list"),
        ('"nodes"', "the text 'nodes'"),
        (None, "null"),
        (7, "the number 7"),
        ({}, "the keys (none)"),
        ({"vertices": [], "arcs": []}, "the keys arcs, vertices"),
        ({"edges": []}, "the keys edges"),
    ],
)
def test_json_of_another_shape_is_refused_and_what_is_there_named(load, data, found):
    error = refused(load, data)
    assert error.what == f"This is not a graph in the reference's JSON shape but {error_tail(found)}."
    assert "node_id" in error.hint


def error_tail(found: str) -> str:
    return f"an object with {found}" if found.startswith("the keys") else found


@pytest.mark.parametrize("edges", ["links", "edges"])
def test_a_node_link_file_is_refused_and_its_keys_named(load, edges):
    data = nx.node_link_data(nx.path_graph(2), edges=edges)
    error = refused(load, data)
    keys = ", ".join(sorted(("directed", edges, "graph", "multigraph", "nodes")))
    assert error.what == (
        f"This is not a graph in the reference's JSON shape but an object with the keys {keys}, "
        "as networkx writes a node-link file."
    )
    assert "graph=nodelink" in error.hint


def test_an_empty_node_link_file_is_refused_too(load):
    error = refused(load, {"nodes": [], "links": []})
    assert error.what.endswith("the keys links, nodes, as networkx writes a node-link file.")
    assert load({"nodes": [], "edges": [], "links": []}).graph.node_count == 0


def test_a_malformed_entry_is_named_by_its_place(load):
    error = refused(load, {"nodes": [A, A, A, {"node_id": "x", "label": "X"}]})
    assert error.where.endswith("g.json: nodes[3]")
    assert "'node_type' is missing" in error.what
    edge = {"source_id": "a", "target_id": "a", "edge_type": "uses", "weight": "heavy"}
    error = refused(load, {"nodes": [A], "edges": [edge]})
    assert error.where.endswith("g.json: edges[0]")
    assert "'weight' must hold a number, not the text 'heavy'" in error.what


@pytest.mark.parametrize("part", ["nodes", "edges"])
def test_a_part_that_is_no_list_is_refused(load, part):
    error = refused(load, {"nodes": [], part: {"a": 1}})
    assert error.where.endswith(f": {part}")


def test_repeated_ids_are_reported_once_each_and_the_last_wins(load):
    other, again = {**A, "node_id": "b"}, {**A, "label": "2"}
    loaded = load({"nodes": [A, other, again, other, again]})
    assert loaded.report.duplicate_ids == ("a", "b")
    assert [(node.node_id, node.label) for node in loaded.graph.all_nodes()] == [("a", "2"), ("b", "A")]


def test_huge_integers_and_long_decimals_keep_their_value(load):
    values = '{"n": 123456789012345678901234567890, "x": 0.1, "e": 1e400}'
    text = f'{{"nodes": [{{"node_id": "a", "node_type": "t", "label": "A", "properties": {values}}}]}}'
    (node,) = load(text).graph.all_nodes()
    assert node.properties["n"] == 123456789012345678901234567890
    assert node.properties["x"] == 0.1
    assert node.properties["e"] == float("inf")


def test_an_integer_that_python_will_not_read_is_refused_not_raised(load):
    error = refused(load, '{"nodes": [' + "9" * 5000 + "]}")
    assert error.what == "The file cannot be read as JSON: a whole number has more than 4,300 digits."


@pytest.mark.parametrize("label", ["\x00", "a\x1b[31mb", "\ud800", "line\nline", "🚀", "ﷺ", "e\u0301", ""])
def test_any_text_of_a_label_is_kept(load, label):
    (node,) = load({"nodes": [{**A, "label": label, "properties": {label: label}}]}).graph.all_nodes()
    assert node.label == label
    assert node.properties == {label: label}


def test_a_file_without_edges_is_a_graph_without_edges(load):
    assert load({"nodes": [A]}).graph.edge_count == 0
    assert load({"nodes": []}).graph.node_count == 0


def test_the_name_of_the_file_is_no_matter(load):
    assert load({"nodes": [A]}, "graph.txt").graph.node_count == 1


def test_the_path_is_required():
    with pytest.raises(ValueError, match="path"):
        JsonGraphParams.model_validate({})


def test_the_demo_graph_loads_without_remarks():
    loaded = DemoGraph().load()
    assert loaded.graph.node_count > 100
    assert isinstance(loaded.graph, GraphIndex)
    assert loaded.graph.dangling_edges == 0
    assert loaded.report.findings == ()


@pytest.mark.parametrize(("written", "said"), [("NaN", "NaN"), ("-1e400", "an infinite one")])
def test_a_weight_that_is_not_finite_stops_the_load_and_the_edge_is_named(load, written, said):
    edge = {"source_id": "a", "target_id": "b", "edge_type": "t", "weight": 7.25}
    error = refused(load, json.dumps({"nodes": [A], "edges": [edge]}).replace("7.25", written))
    assert error.what == f"The weight must be a finite number, not {said}."
    assert error.where.endswith("g.json: edge 'a' -> 'b'")


def test_a_key_written_twice_is_reported_and_the_last_counts(load):
    text = (
        '{"nodes": [{"node_id": "a", "node_id": "b", "node_type": "t", "label": "A", "properties": '
        '{"x": 1, "y": {"x": 2, "x": 3}}}, {"node_id": "c", "node_type": "t", "label": "1", "label": "2"}], '
        '"edges": [], "edges": [], "edges": []}'
    )
    loaded = load(text)
    assert [(entry.node_id, entry.label) for entry in loaded.graph.all_nodes()] == [("b", "A"), ("c", "2")]
    assert loaded.graph.all_nodes()[0].properties == {"x": 1, "y": {"x": 3}}
    assert [found.what for found in loaded.report.of("repaired")] == [
        f"the key '{key}' was written twice in one object; its last value counts"
        for key in ("edges", "label", "node_id", "x")
    ]
    assert loaded.report.summary() == "repaired: 4"


def test_objects_that_repeat_one_key_are_counted(load):
    loaded = load('{"nodes": [], "edges": [], "x": [{"k": 1, "k": 2, "k": 3}, {"k": 1, "k": 2}, {"k": 1}]}')
    assert [(found.count, found.what) for found in loaded.report.findings] == [
        (2, "the key 'k' was written twice in one object; its last value counts")
    ]


def test_a_graph_of_the_reference_with_links_beside_edges_is_read(load):
    assert load({"nodes": [A], "edges": [], "links": [1]}).graph.node_count == 1
