from __future__ import annotations

import math
import time
import tracemalloc
from itertools import pairwise

import networkx as nx
import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.graphml.source import GraphMLGraph
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

NAMESPACE = 'xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml"'


def document(body: str, keys: str = "", default: str = "directed") -> str:
    return f'<graphml {NAMESPACE}>{keys}<graph edgedefault="{default}">{body}</graph></graphml>'


def key(key_id: str, kind: str, name: str, type_: str, inner: str = "", more: str = "") -> str:
    declared = f'id="{key_id}" for="{kind}" attr.name="{name}" attr.type="{type_}" {more}'
    return f"<key {declared}>{inner}</key>"


def a_node(data: str) -> str:
    return f'<node id="n">{data}</node>'


AB = '<node id="a"/><node id="b"/>'


@pytest.fixture
def read(tmp_path):
    """Write a document, and load it."""
    return lambda content, **params: load(GraphMLGraph, written(tmp_path / "g.graphml", content), **params)


def test_nodes_edges_and_their_attributes_are_read(read):
    keys = (
        key("d0", "node", "label", "string")
        + key("d1", "node", "type", "string")
        + key("d2", "edge", "relation", "string")
        + key("d3", "edge", "weight", "double")
        + key("d4", "node", "seen", "boolean")
    )
    body = (
        '<node id="p"><data key="d0">Pump</data><data key="d1">machine</data>'
        '<data key="d4">true</data></node>'
        '<node id="v"><data key="d4">0</data></node>'
        '<edge source="p" target="v"><data key="d2">feeds</data><data key="d3">0.5</data></edge>'
    )
    index, report = read(document(body, keys))
    pump, valve = node(index, "p"), node(index, "v")
    assert (pump.label, pump.node_type, pump.properties) == ("Pump", "machine", {"seen": True})
    assert (valve.label, valve.node_type, valve.properties) == ("v", "node", {"seen": False})
    assert edges(index) == ["p -feeds-> v"]
    assert only_edge(index).weight == 0.5
    assert report.account.read == {"nodes": 2, "edges": 1}
    assert (report.findings, report.notes) == ((), ())


def test_a_key_that_is_not_declared_is_text_and_is_named(read):
    index, report = read(document(AB + '<edge source="a" target="b"><data key="rel">feeds</data></edge>'))
    assert edges(index) == ["a -feeds-> b"]
    assert said(report) == ["repaired ×1: a value has a key that is not declared; it is read as text"]
    assert report.findings[0].places[0].endswith("g.graphml:1: key rel")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("int", "7", 7),
        ("long", "9007199254740993", 9007199254740993),
        ("long", "-9223372036854775808", -9223372036854775808),
        ("float", "1", 1.0),
        ("double", "-2.5e3", -2500.0),
        ("double", "INF", math.inf),
        ("double", "-INF", -math.inf),
        ("boolean", "FALSE", False),
        ("string", "007", "007"),
        ("string", "", ""),
        ("string", " two\n lines&#13;&#10;\t", " two\n lines\r\n\t"),
        ("", "mast-7", "mast-7"),
    ],
)
def test_values_have_their_declared_type(read, kind, text, value):
    declared = key("d0", "node", "v", kind).replace(' attr.type=""', "")
    index, report = read(document(a_node(f'<data key="d0">{text}</data>'), declared))
    found = node(index, "n").properties["v"]
    assert (type(found), found) == (type(value), value)
    assert report.findings == ()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "n/a"),
        ("int", "7.0"),
        ("long", "1_000"),
        ("long", "٣"),
        ("int", "9" * 5000),
        ("double", "1e999"),
        ("double", "0,75"),
        ("boolean", "yes"),
    ],
)
def test_a_value_that_is_not_of_its_type_stays_text_and_is_told(read, kind, text):
    index, report = read(document(a_node(f'<data key="d0">{text}</data>'), key("d0", "node", "v", kind)))
    assert node(index, "n").properties == {"v": text}
    assert said(report) == ["repaired ×1: a value is not of its declared type; it stays text"]


def test_an_empty_text_is_kept_and_an_empty_number_is_none(read):
    keys = key("d0", "node", "note", "string") + key("d1", "node", "size", "int")
    index, report = read(document(a_node('<data key="d0"/><data key="d1"></data>'), keys))
    assert node(index, "n").properties == {"note": ""}
    assert said(report) == ["blank ×1: a number or truth value is written as the empty text; it is left out"]


def test_not_a_number_is_no_value(read):
    index, _ = read(document(a_node('<data key="d0">NaN</data>'), key("d0", "node", "v", "double")))
    assert node(index, "n").properties == {}


def test_a_default_counts_where_there_is_no_value(read):
    keys = key("d0", "node", "color", "string", "<default>yellow</default>")
    keys += key("d1", "edge", "weight", "double", "<default>3</default>")
    body = '<node id="a"/><node id="b"><data key="d0">red</data></node><edge source="a" target="b"/>'
    index, _ = read(document(body, keys))
    assert [node(index, id_).properties["color"] for id_ in "ab"] == ["yellow", "red"]
    assert only_edge(index).weight == 3.0


def test_a_key_with_two_types_may_share_a_name(read):
    # networkx declares a key for each type that the values of one attribute have.
    keys = key("d0", "node", "v", "long") + key("d1", "node", "v", "string")
    body = '<node id="a"><data key="d0">1</data></node><node id="b"><data key="d1">x</data></node>'
    index, report = read(document(body, keys))
    assert [node(index, id_).properties for id_ in "ab"] == [{"v": 1}, {"v": "x"}]
    assert report.findings == ()


def test_one_key_id_may_be_declared_for_nodes_and_for_edges(read):
    keys = key("v", "node", "size", "int") + key("v", "edge", "since", "string")
    body = (
        '<node id="a"><data key="v">1</data></node><edge source="a" target="a"><data key="v">1</data></edge>'
    )
    index, _ = read(document(body, keys))
    assert node(index, "a").properties == {"size": 1}
    assert only_edge(index).properties == {"since": "1"}


def test_a_key_declared_again_and_differently_is_told(read):
    body = a_node('<data key="d">1</data>')
    _, same = read(document(body, key("d", "node", "v", "int") * 2))
    assert same.findings == ()
    index, other = read(document(body, key("d", "node", "v", "int") + key("d", "node", "v", "string")))
    assert node(index, "n").properties == {"v": "1"}
    assert said(other) == [
        "repaired ×1: a key is declared again, and differently; the last declaration counts"
    ]


def test_a_type_that_graphml_does_not_have_is_told(read):
    index, report = read(document(a_node('<data key="d">x</data>'), key("d", "node", "v", "money")))
    assert node(index, "n").properties == {"v": "x"}
    assert said(report) == [
        "repaired ×1: a key's attr.type is none that GraphML has; its values are read as text"
    ]


def test_a_value_given_twice_is_told(read):
    keys = key("d", "node", "v", "int")
    index, report = read(document(a_node('<data key="d">1</data><data key="d">2</data>'), keys))
    assert node(index, "n").properties == {"v": 2}
    assert said(report) == ["repaired ×1: an attribute is given twice on one element; its last value counts"]


def test_parallel_edges_are_kept_and_ids_of_edges_change_nothing(read):
    plain = '<edge source="a" target="b"/><edge source="a" target="b"/><edge source="b" target="a"/>'
    with_ids = plain.replace("<edge", '<edge id="0"')
    first, _ = read(document(AB + plain))
    second, _ = read(document(AB + with_ids))
    assert edges(first) == ["a -related_to-> b", "a -related_to-> b", "b -related_to-> a"]
    assert first.digest == second.digest


def test_edges_that_differ_from_the_default_direction_say_so(read):
    rels = ('directed="true"', 'directed="false"', "", 'directed="maybe"')
    body = AB + "".join(f'<edge source="a" target="b" {told}/>' for told in rels)
    index, report = read(document(body, default="undirected"))
    assert [edge.properties for edge in index.all_edges()] == [{"directed": True}, {}, {}, {}]
    assert said(report) == [
        "repaired ×1: an edge's directed is neither true nor false; the graph's edgedefault counts"
    ]
    assert report.notes == (
        "the graph is undirected; each edge keeps the order in which its ends are written",
    )
    index, report = read(document(body))
    assert [edge.properties for edge in index.all_edges()] == [{}, {"directed": False}, {}, {}]
    assert report.notes == ()


def test_nested_nodes_stand_beside_the_outer_one_in_the_order_of_the_file(read):
    inner = (
        '<graph edgedefault="directed"><node id="a1"/><node id="a2"/><edge source="a1" target="a2"/></graph>'
    )
    body = f'<node id="a">{inner}<data key="d">after</data></node><node id="b"/>'
    index, report = read(document(body, key("d", "node", "note", "string")))
    assert list(index.ids) == ["a", "a1", "a2", "b"]
    assert node(index, "a").properties == {"note": "after"}
    assert node(index, "a2").properties == {"parent": "a"}
    assert edges(index) == ["a1 -related_to-> a2"]
    assert said(report) == [
        "repaired ×2: a node is inside another one; "
        "it stands beside it, and its property parent names that one"
    ]


def test_several_graphs_are_read_as_one(read):
    content = f'<graphml {NAMESPACE}><graph><node id="a"/></graph><graph><node id="b"/></graph></graphml>'
    index, report = read(content)
    assert list(index.ids) == ["a", "b"]
    assert report.notes == ("the file has 2 graphs; they are read as one",)


def test_ports_and_hyperedges_are_left_out_and_counted(read):
    keys = key("d", "all", "v", "string")
    body = (
        '<node id="a"><port name="p"><port name="q"/><data key="d">no</data></port></node>'
        '<hyperedge><endpoint node="a"/><graph><node id="no"/></graph></hyperedge>'
    )
    index, report = read(document(body, keys))
    assert (list(index.ids), node(index, "a").properties) == (["a"], {})
    assert report.account.read == {"nodes": 1, "ports": 1, "hyperedges": 1}
    assert said(report) == [
        "skipped ×1: a port, a place where edges dock at a node, is left out",
        "skipped ×1: a hyperedge, which joins any number of nodes, is left out",
    ]


YED_KEYS = (
    '<key for="node" id="d1" attr.name="description" attr.type="string"/>'
    '<key for="node" id="d2" yfiles.type="nodegraphics"/><key for="edge" id="d3" yfiles.type="edgegraphics"/>'
)


def test_what_yed_draws_on_nodes_and_edges_is_their_label(read):
    body = (
        '<node id="n0" yfiles.foldertype="group"><data key="d1">Feeds water.</data>'
        '<data key="d2"><y:ShapeNode>'
        '<y:Fill color="#FFCC00"/><y:NodeLabel visible="true"> Pump\n<y:LabelModel/></y:NodeLabel>'
        "<y:NodeLabel>P-101</y:NodeLabel></y:ShapeNode></data></node>"
        '<node id="n1"><data key="d2"><y:ShapeNode><y:NodeLabel/></y:ShapeNode></data></node>'
        '<edge source="n0" target="n1"><data key="d3"><y:PolyLineEdge><y:EdgeLabel>feeds</y:EdgeLabel>'
        "</y:PolyLineEdge></data></edge>"
    )
    index, report = read(document(body, YED_KEYS))
    assert node(index, "n0").label == "Pump"
    assert node(index, "n0").properties == {"description": "Feeds water.", "more_labels": ["P-101"]}
    assert (node(index, "n1").label, node(index, "n1").properties) == ("n1", {})
    assert edges(index) == ["n0 -feeds-> n1"]
    assert (report.findings, report.notes) == ((), ("left out: values that say how yEd draws (3)",))


def test_xml_in_a_value_is_told_unless_yed_draws_it(read):
    keys = key("d", "node", "v", "string")
    index, report = read(document(a_node('<data key="d">see <b xmlns="x">this</b></data>'), keys))
    assert node(index, "n").properties == {"v": "see "}
    assert said(report) == ["repaired ×1: a value holds XML elements; only the text outside of them is kept"]


def test_labels_that_apoc_writes_are_the_type(read):
    body = '<node id="a" labels=":Person"/><node id="b" labels=":__Entity__:Person:Author"/>'
    index, report = read(document(body + '<edge source="a" target="b" label="KNOWS"/>'))
    assert [(node(index, id_).node_type, node(index, id_).properties) for id_ in "ab"] == [
        ("Person", {}),
        ("Person", {"labels": ["__Entity__", "Person", "Author"]}),
    ]
    assert edges(index) == ["a -KNOWS-> b"]
    assert report.findings == ()


def test_lists_that_apoc_writes_are_lists(read):
    keys = key("d", "node", "aliases", "string", more='attr.list="string"')
    index, _ = read(document(a_node('<data key="d">["Al", "Alice"]</data>'), keys))
    assert node(index, "n").properties == {"aliases": ["Al", "Alice"]}


def test_labels_of_tinkerpop_and_gephi_are_types(read):
    keys = key("v", "node", "labelV", "string") + key("e", "edge", "labelE", "string")
    keys += key("g", "edge", "Edge Label", "string")
    person = '<node id="a"><data key="v">person</data></node>'
    body = person + '<edge source="a" target="a"><data key="{}">knows</data></edge>'
    for edge_key in "eg":
        index, _ = read(document(body.format(edge_key), keys))
        assert node(index, "a").node_type == "person"
        assert edges(index) == ["a -knows-> a"]
    index, _ = read(document(body.format("g"), keys), edge_type="Edge Label", node_type="sort")
    assert (node(index, "a").node_type, node(index, "a").properties) == ("node", {"labelV": "person"})
    assert edges(index) == ["a -knows-> a"]


def test_labels_that_are_not_neo4j_s_are_an_attribute(read):
    keys = key("t", "node", "node_type", "string")
    body = '<node id="a" labels="x:y"/><node id="b" labels=":__x:y"/><node id="c" labels=":"/>'
    body += '<node id="d" labels=":A"><data key="t">sort</data></node>'
    index, _ = read(document(body, keys))
    assert [(node(index, id_).node_type, node(index, id_).properties) for id_ in "abcd"] == [
        ("node", {"labels": "x:y"}),
        ("__x", {"labels": ["__x", "y"]}),
        ("node", {"labels": []}),
        ("sort", {"labels": ":A"}),
    ]
    index, _ = read(document('<node id="a" labels=":A" sort="s"/>'), node_type="sort")
    assert (node(index, "a").node_type, node(index, "a").properties) == ("s", {"labels": ["A"]})


def test_an_attribute_named_properties_is_a_property(read):
    ours = "<desc>graphrag-pipeline json</desc>"
    keys = key("d", "node", "properties", "string") + key("e", "node", "list", "string", ours)
    text = '<data key="d">many</data>'
    body = f'<node id="a">{text}</node><node id="b">{text}<data key="e">[1]</data></node>'
    index, _ = read(document(body, keys))
    assert [node(index, id_).properties for id_ in "ab"] == [
        {"properties": "many"},
        {"list": [1], "properties": "many"},
    ]


def test_only_our_own_descriptions_of_keys_say_how_to_read_them(read):
    keys = key("d", "node", "v", "string", "<desc>a json property</desc>")
    index, report = read(document(a_node('<data key="d">[1]</data>'), keys))
    assert node(index, "n").properties == {"v": "[1]"}
    assert report.findings == ()


def test_a_value_without_key_is_told(read):
    index, report = read(document(a_node("<data>x</data>")))
    assert node(index, "n").properties == {}
    assert said(report) == ["repaired ×1: a value without a key is left out"]


def test_what_is_left_out_without_being_a_fault_is_noted(read):
    keys = key("m", "graph", "mode", "string")
    body = '<data key="m">static</data><data key="m">x</data><data key="m"/><desc>d</desc>'
    body += '<extra xmlns="x"><a/></extra><node id="a"/>'
    index, report = read(document(body, keys))
    assert list(index.ids) == ["a"]
    assert report.notes == (
        "left out: values of the graph itself (2)",
        "left out: elements that GraphML does not have (1)",
    )
    assert report.findings == ()


def test_a_locator_is_told(read):
    _, report = read(document('<node id="a"><locator href="other.graphml"/></node>'))
    assert said(report) == ["repaired ×1: a locator names another file, which is not read"]


def test_each_graph_has_its_own_default_direction(read):
    inner = '<graph edgedefault="directed"><edge source="a" target="a"/></graph>'
    body = f'<node id="a">{inner}</node><edge source="a" target="a"/>'
    index, report = read(document(body, default="undirected"))
    assert [edge.properties for edge in index.all_edges()] == [{"directed": True}, {}]
    assert report.notes == (
        "the graph is undirected; each edge keeps the order in which its ends are written",
    )


def test_xml_in_one_value_says_nothing_of_the_next(read):
    keys = key("d", "node", "v", "string") + key("e", "node", "w", "string")
    body = a_node('<data key="d"><b xmlns="x">x</b></data><data key="e"/>')
    index, report = read(document(body, keys))
    assert node(index, "n").properties == {"w": ""}
    assert report.counts()["repaired"] == 1


def test_what_is_drawn_on_a_port_is_no_label_of_its_node(read):
    port = '<port><data key="d2"><y:NodeLabel>p</y:NodeLabel></data></port>'
    body = f'<node id="a"><data key="d1">x</data>{port}</node>'
    index, _ = read(document(body, YED_KEYS))
    assert node(index, "a").label == "a"


def test_a_default_is_of_its_own_kind_of_record(read):
    keys = key("d", "node", "v", "string", "<default>x</default>")
    index, _ = read(document(AB + '<edge source="a" target="b"/>', keys))
    assert only_edge(index).properties == {}


def test_a_key_that_is_declared_for_another_kind_still_has_its_type(read):
    index, report = read(document(a_node('<data key="d">7</data>'), key("d", "edge", "v", "int")))
    assert node(index, "n").properties == {"v": 7}
    assert report.findings == ()


@pytest.mark.parametrize("marks", ["json", "property json"])
def test_json_that_our_export_marks_is_read_back(read, marks):
    keys = key("d", "node", "tags", "string", f"<desc>graphrag-pipeline {marks}</desc>")
    index, report = read(document(a_node('<data key="d">{"k": [1, "1", null]}</data>'), keys))
    assert node(index, "n").properties == {"tags": {"k": [1, "1", None]}}
    assert report.findings == ()
    index, report = read(document(a_node('<data key="d">{"k": </data>'), keys))
    assert node(index, "n").properties == {"tags": '{"k": '}
    assert said(report) == ["repaired ×1: a value is no valid JSON; it stays text"]


def test_fields_and_properties_of_one_name_are_told_apart(read):
    ours = "<desc>graphrag-pipeline property</desc>"
    keys = key("d0", "node", "label", "string") + key("d1", "node", "label", "string", ours)
    keys += key("d2", "edge", "weight", "string", "<desc>graphrag-pipeline json</desc>")
    keys += key("d3", "edge", "weight", "long", ours) + key("d4", "edge", "key", "long")
    keys += key("d5", "node", "n", "double", "<desc>graphrag-pipeline number</desc>")
    body = (
        '<node id="n"><data key="d0">Pump</data><data key="d1">own</data><data key="d5">1</data></node>'
        '<node id="m"><data key="d0"> M </data><data key="d5">1.0</data></node>'
        '<edge source="n" target="m"><data key="d2">2</data><data key="d3">7</data>'
        '<data key="d4">3</data></edge>'
    )
    index, report = read(document(body, keys))
    assert (node(index, "n").label, node(index, "n").properties) == ("Pump", {"label": "own", "n": 1})
    assert type(node(index, "n").properties["n"]) is int
    assert (node(index, "m").label, type(node(index, "m").properties["n"])) == (" M ", float)
    assert (only_edge(index).weight, only_edge(index).properties) == (2, {"weight": 7, "key": 3})
    assert report.findings == ()


def test_a_description_element_is_kept(read):
    index, _ = read(document("<node id='a'><desc>What it is.</desc></node>"))
    assert node(index, "a").properties == {"description": "What it is."}


def test_a_description_that_no_entry_is_lost_by(read):
    keys = key("d", "node", "description", "string")
    index, _ = read(document('<node id="a"><desc>x</desc><data key="d">y</data></node>', keys))
    assert node(index, "a").properties == {"desc": "x", "description": "y"}


def test_control_characters_are_replaced_and_counted(read):
    # networkx writes them as they are, and cannot read its own file.
    keys = key("d", "node", "note", "string")
    index, report = read(document('<node id="a\x01" label="A"><data key="d">form\ffeed</data></node>', keys))
    assert node(index, "a\ufffd").properties == {"note": "form\ufffdfeed"}
    assert said(report) == ["repaired ×2: a control character or lone surrogate was replaced by U+FFFD"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_every_encoding_that_xml_can_name_is_read(tmp_path, encoding):
    named = encoding.removesuffix("-sig")
    content = f'<?xml version="1.0" encoding="{named}"?>{document("<node id=&#39;ä1&#39;/>")}'.replace(
        "&#39;", "'"
    )
    index, _ = load(GraphMLGraph, written(tmp_path / "g.graphml", content.encode(encoding)))
    assert list(index.ids) == ["ä1"]


def test_nodes_without_id_are_skipped_and_unknown_ends_dangle(read):
    index, report = read(document('<node/><node id="a"/><edge source="a"/><edge source="a" target="z"/>'))
    assert (index.node_count, index.edge_count, index.dangling_edges) == (1, 1, 1)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


def test_what_networkx_writes_is_read_as_networkx_reads_it(tmp_path):
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("a", label="A", size=7, share=0.5, seen=True)
    graph.add_node("b", label="B", size=2.5)
    for kind in ("owns", "uses"):
        graph.add_edge("a", "b", relation=kind, weight=2)
    nx.write_graphml(graph, tmp_path / "g.graphml")
    index, report = load(GraphMLGraph, tmp_path / "g.graphml")
    assert node(index, "a").properties == {"size": 7, "share": 0.5, "seen": True}
    assert edges(index) == ["a -owns-> b", "a -uses-> b"]
    assert [edge.weight for edge in index.all_edges()] == [2, 2]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("<!DOCTYPE html><html><head>", "The file looks like an HTML page, not GraphML."),
        ("<gexf/>", "its first element is <gexf>, not <graphml>"),
        ("<graphml/>", "The file has no <graph>."),
        ("<graphml><graph><node", "The file is not well-formed XML"),
        ("graph [ ]", "The file is not well-formed XML"),
        ("", "The file is not GraphML."),
        (b"PK\x03\x04", "The file is not GraphML."),
        ("<graphml>" + "<graph>" * 600, "nested more than 500 levels deep"),
        (
            '<!DOCTYPE g [<!ENTITY f SYSTEM "file:///etc/hostname">]><graphml>&f;</graphml>',
            "declares the entity",
        ),
    ],
)
def test_what_is_no_graphml_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.graphml", content)
    with pytest.raises(GraphSourceError) as refused:
        load(GraphMLGraph, path)
    assert what in str(refused.value)
    assert str(path) in refused.value.where


def test_control_characters_far_into_a_file_are_replaced_as_well(read):
    nodes = "".join(f'<node id="n{number}"/>' for number in range(20_000))
    index, report = read(document(f'{nodes}<node id="a\x02" label="A"/>'))
    assert list(index.ids)[-1] == "a\ufffd"
    assert report.counts()["repaired"] == 1


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(GraphSourceError, match="No such file"):
        load(GraphMLGraph, tmp_path / "none.graphml")


def test_a_bomb_of_entities_is_refused_at_once_in_little_memory(tmp_path):
    names = "abcdefghijkl"
    entities = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    bomb = f'<!DOCTYPE g [<!ENTITY a "aa">{entities}]><graphml><graph><node id="&l;"/></graph></graphml>'
    path = written(tmp_path / "g.graphml", bomb)
    tracemalloc.start()
    start = time.perf_counter()
    with pytest.raises(GraphSourceError, match="declares the entity 'a'"):
        load(GraphMLGraph, path)
    assert time.perf_counter() - start < 1
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


@shared
@pytest.mark.parametrize(
    ("name", "nodes", "rels", "repaired"),
    [
        ("attributes.graphml", 6, 7, 0),
        ("mixed_multigraph.graphml", 6, 8, 0),
        ("miserables.graphml", 77, 254, 0),
        ("miserables_broken.graphml", 77, 254, 2),
    ],
)
def test_real_files(name, nodes, rels, repaired):
    index, report = load(GraphMLGraph, DATA / f"formats/graphml/{name}")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (nodes, rels, 0)
    assert [report.counts()[kind] for kind in ("repaired", "skipped", "blank", "duplicated")] == [
        repaired,
        0,
        0,
        0,
    ]


@shared
def test_a_real_file_has_the_values_that_networkx_reads():
    path = DATA / "formats/graphml/miserables.graphml"
    index, _ = load(GraphMLGraph, path)
    other = nx.read_graphml(path)
    for found in index.all_nodes():
        attributes = dict(other.nodes[found.node_id])
        assert (found.label, dict(found.properties)) == (attributes.pop("label"), attributes)
    weights = {frozenset(ends): data["weight"] for *ends, data in other.edges(data=True)}
    assert all(weights[frozenset((e.source_id, e.target_id))] == e.weight for e in index.all_edges())


@shared
def test_markup_that_is_broken_by_control_characters_is_refused_with_its_place():
    path = DATA / "formats/graphml/apoc_fileWithUnicode.graphml"
    with pytest.raises(GraphSourceError) as refused:
        load(GraphMLGraph, path)
    assert refused.value.where.startswith(f"{path}:5:")


@shared
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("gml_entity_bomb.graphml", "declares the entity 'a'"),
        ("gml_external_entity.graphml", "declares the entity 'f'"),
        ("html_named.graphml", "The file looks like an HTML page, not GraphML."),
    ],
)
def test_invented_files_that_are_refused(name, what):
    with pytest.raises(GraphSourceError) as refused:
        load(GraphMLGraph, DATA / f"bug_files/invented/{name}")
    assert what in refused.value.what
    assert "\n" not in refused.value.what


@shared
def test_invented_files_without_types_or_declarations():
    index, report = load(GraphMLGraph, DATA / "bug_files/invented/gml_no_attr_type.graphml", node_type="sort")
    assert node(index, "a").properties == {"kind": "mast-7", "size": 9007199254740993}
    assert node(index, "b").properties == {"kind": ""}
    assert [found.kind for found in report.findings] == ["blank"]  # no node has the attribute sort
    index, report = load(GraphMLGraph, DATA / "bug_files/invented/gml_undeclared_key.graphml")
    assert edges(index) == ["a -feeds-> b"]
    assert report.counts()["repaired"] == 1


@pytest.mark.parametrize("digits", ["9" * 200_000, "9" * 200_000 + "x", "0." + "9" * 200_000 + "e"])
def test_long_rows_of_digits_are_read_in_a_moment(read, digits):
    start = time.perf_counter()
    index, report = read(document(a_node(f'<data key="d">{digits}</data>'), key("d", "node", "v", "double")))
    assert time.perf_counter() - start < 1
    assert node(index, "n").properties == {"v": digits}
    assert report.counts()["repaired"] == 1


def test_json_that_is_nested_too_deep_stays_text(read):
    keys = key("d", "node", "v", "string", "<desc>graphrag-pipeline json</desc>")
    text = "[" * 100_000
    index, report = read(document(a_node(f'<data key="d">{text}</data>'), keys))
    assert node(index, "n").properties == {"v": text}
    assert report.counts()["repaired"] == 1
