from __future__ import annotations

import networkx as nx
import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.gexf.source import GexfGraph
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

HEAD = 'xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3"'


def document(
    nodes: str, rels: str = "", declared: str = "", graph: str = 'defaultedgetype="directed"'
) -> str:
    return f"<gexf {HEAD}><graph {graph}>{declared}<nodes>{nodes}</nodes><edges>{rels}</edges></graph></gexf>"


def attribute(key: str, title: str, type_: str, inner: str = "", owner: str = "node") -> str:
    declared = f'<attribute id="{key}" title="{title}" type="{type_}">{inner}</attribute>'
    return f'<attributes class="{owner}">{declared}</attributes>'


def a_node(values: str, more: str = "") -> str:
    return f'<node id="n" label="N" {more}><attvalues>{values}</attvalues></node>'


AB = '<node id="a"/><node id="b"/>'


@pytest.fixture
def read(tmp_path):
    """Write a document, and load it."""
    return lambda content, **params: load(GexfGraph, written(tmp_path / "g.gexf", content), **params)


@pytest.mark.parametrize(
    "namespace",
    ["http://www.gexf.net/1.1draft", "http://www.gexf.net/1.2draft", "http://gexf.net/1.3", ""],
)
def test_every_version_is_read(read, namespace):
    content = document(
        '<node id="a" label="Dam"/><node id="b"/>', '<edge source="a" target="b" weight="2.5"/>'
    )
    index, report = read(content.replace('xmlns="http://gexf.net/1.3"', f'xmlns="{namespace}"'))
    assert [node(index, id_).label for id_ in "ab"] == ["Dam", "b"]
    assert edges(index) == ["a -related_to-> b"]
    assert only_edge(index).weight == 2.5
    assert report.account.read == {"nodes": 2, "edges": 1}
    assert (report.findings, report.notes) == ((), ())


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", "7", 7),
        ("long", "9007199254740993", 9007199254740993),
        ("double", "1", 1.0),
        ("boolean", "true", True),
        ("string", " x ", " x "),
        ("anyURI", "http://a.example", "http://a.example"),
        ("liststring", "a |b | c", ["a", "b", "c"]),
        ("liststring", "Doe, Jane; Roe, Rick", ["Doe, Jane", "Roe, Rick"]),
        ("liststring", "a,b", ["a", "b"]),
        ("liststring", "[a, b|c, d;e]", ["a", "b|c", "d;e"]),
        ("liststring", "['a, b', &quot;c\\&quot;d&quot;, 'it\\'s', '']", ["a, b", 'c"d', "it's", ""]),
        ("liststring", "'tis|don't", ["'tis", "don't"]),
        ("liststring", "one", ["one"]),
        ("liststring", "[a|b", ["[a", "b"]),
        ("liststring", "", []),
        ("listboolean", "[true, false]", [True, False]),
        ("listinteger", "1|2", [1, 2]),
        ("listfloat", "[1, 1.5]", [1.0, 1.5]),
    ],
)
def test_values_have_their_declared_type(read, kind, text, value):
    index, report = read(
        document(a_node(f'<attvalue for="0" value="{text}"/>'), declared=attribute("0", "v", kind))
    )
    found = node(index, "n").properties["v"]
    assert (type(found), found) == (type(value), value)
    assert report.findings == ()


def test_a_value_that_is_not_of_its_type_stays_text_and_is_told(read):
    declared = attribute("0", "v", "integer") + attribute("1", "w", "listinteger")
    values = '<attvalue for="0" value="many"/><attvalue for="1" value="1|x"/>'
    index, report = read(document(a_node(values), declared=declared))
    assert node(index, "n").properties == {"v": "many", "w": [1, "x"]}
    assert said(report) == ["repaired ×2: a value is not of its declared type; it stays text"]


def test_a_default_counts_where_there_is_no_value(read):
    declared = attribute("0", "frog", "boolean", "<default>true</default>")
    nodes = '<node id="a"/>' + a_node('<attvalue for="0" value="false"/>')
    index, _ = read(document(nodes, declared=declared))
    assert [node(index, id_).properties for id_ in "an"] == [{"frog": True}, {"frog": False}]


def test_an_attribute_that_is_not_declared_is_text_and_is_named(read):
    index, report = read(document(a_node('<attvalue for="url" value="1"/>' * 1)))
    assert node(index, "n").properties == {"url": "1"}
    assert said(report) == ["repaired ×1: a value has an attribute that is not declared; it is read as text"]
    assert report.findings[0].places[0].endswith("g.gexf:1: url")


def test_values_may_name_their_attribute_by_id_as_old_files_do(read):
    index, report = read(
        document(a_node('<attvalue id="0" value="3"/>'), declared=attribute("0", "v", "integer"))
    )
    assert node(index, "n").properties == {"v": 3}
    assert report.findings == ()


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        (
            attribute("0", "v", "money"),
            "an attribute's type is none that GEXF has; its values are read as text",
        ),
        (
            attribute("0", "v", "integer") + attribute("0", "v", "string"),
            "an attribute is declared again, and differently; the last declaration counts",
        ),
    ],
)
def test_faults_of_declarations_are_told(read, declared, what):
    index, report = read(document(a_node('<attvalue for="0" value="1"/>'), declared=declared))
    assert node(index, "n").properties == {"v": "1"}
    assert said(report) == [f"repaired ×1: {what}"]


def test_an_attribute_given_twice_is_told(read):
    declared = attribute("0", "start", "string")
    nodes = a_node('<attvalue for="0" value="a"/>', 'start="b"')
    nodes += '<node id="m" start="c"><attvalues><attvalue for="0" value="c"/></attvalues></node>'
    index, report = read(document(nodes, declared=declared))
    assert [node(index, id_).properties for id_ in "nm"] == [{"start": "a"}, {"start": "c"}]
    assert said(report) == ["repaired ×1: an attribute is given twice on one element; its last value counts"]


def test_what_gexf_does_not_have_is_left_out_and_noted(read):
    content = document("<node id='a'><more><node id='no'/></more><more/></node>")
    content = content.replace("<graph", "<meta><creator>me</creator></meta><graph", 1)
    index, report = read(content)
    assert list(index.ids) == ["a"]
    assert (report.findings, report.notes) == ((), ("left out: elements that GEXF does not have (2)",))


def test_times_values_and_parents_outside_of_records_are_nobody_s(read):
    stray = '<spells><spell start="1"/></spells><parents><parent for="a"/></parents><viz:size value="1"/>'
    index, report = read(document(stray + '<node id="a"/><attvalue for="0" value="1"/>'), viz=True)
    assert node(index, "a").properties == {}
    assert said(report) == ["repaired ×1: a value that names no attribute is left out"]


def test_edges_that_run_both_ways_are_noted(read):
    index, report = read(document(AB, '<edge source="a" target="b"/>', graph='defaultedgetype="mutual"'))
    assert only_edge(index).properties == {}
    assert report.notes == (
        "edges of the graph run both ways; each keeps the order in which its ends are written",
    )


def test_a_value_that_names_no_attribute_is_told(read):
    index, report = read(document(a_node('<attvalue value="3"/>')))
    assert node(index, "n").properties == {}
    assert said(report) == ["repaired ×1: a value that names no attribute is left out"]


def test_edges_are_of_their_kind_or_else_their_label(read):
    rels = (
        '<edge id="0" source="a" target="b" kind="likes" label="much"/>'
        '<edge id="0" source="a" target="b" label="knows"/><edge source="a" target="b"/>'
    )
    index, _ = read(document(AB, rels))
    assert edges(index) == ["a -likes-> b", "a -knows-> b", "a -related_to-> b"]
    assert [edge.properties for edge in index.all_edges()] == [{"label": "much"}, {}, {}]


def test_edges_that_differ_from_the_default_direction_say_so(read):
    kinds = ("undirected", "directed", "mutual", "Directed")
    rels = "".join(f'<edge source="a" target="b" type="{kind}"/>' for kind in kinds)
    index, report = read(document(AB, rels))
    assert [edge.properties for edge in index.all_edges()] == [
        {"directed": False},
        {},
        {"direction": "mutual"},
        {},
    ]
    assert report.notes == ()
    index, report = read(document(AB, rels, graph=""))
    assert [edge.properties for edge in index.all_edges()] == [
        {},
        {"directed": True},
        {"direction": "mutual"},
        {"directed": True},
    ]
    assert report.notes == (
        "the graph is undirected; each edge keeps the order in which its ends are written",
    )


def test_a_declared_attribute_named_label_or_weight_stays_beside_the_real_one(read):
    declared = attribute("0", "label", "string") + attribute("0", "weight", "float", owner="edge")
    rels = (
        '<edge source="n" target="n" weight="2"><attvalues><attvalue for="0" value="9"/></attvalues></edge>'
    )
    index, report = read(document(a_node('<attvalue for="0" value="other"/>'), rels, declared))
    assert (node(index, "n").label, node(index, "n").properties) == ("N", {"label": "other"})
    assert (only_edge(index).weight, only_edge(index).properties) == (2, {"weight": 9.0})
    assert report.findings == ()


def test_nested_nodes_stand_beside_the_outer_one_in_the_order_of_the_file(read):
    inner = '<nodes><node id="a1"/></nodes><edges><edge source="a" target="a1"/></edges>'
    nodes = f'<node id="a">{inner}</node><node id="b" pid="a"/>'
    nodes += '<node id="c"><parents><parent for="a"/><parent for="b"/></parents></node>'
    index, report = read(document(nodes))
    assert list(index.ids) == ["a", "a1", "b", "c"]
    assert [node(index, id_).properties for id_ in ("a1", "b", "c")] == [
        {"parent": "a"},
        {"parent": "a"},
        {"parents": ["a", "b"]},
    ]
    assert edges(index) == ["a -related_to-> a1"]
    assert said(report) == [
        "repaired ×1: a node is inside another one; "
        "it stands beside it, and its property parent names that one"
    ]


def test_times_are_kept(read):
    values = (
        '<attvalue for="0" value="1" start="2009" end="2010"/><attvalue for="0" value="2" start="2010"/>'
        '<attvalue for="0" value="4"/><attvalue for="1" value="3"/>'
        '<attvalue for="2" value="5"/><attvalue for="2" value="6" start="2011"/>'
    )
    spells = '<spells><spell start="2009" end="2010"/><spell start="2012"/></spells>'
    nodes = f'<node id="n" start="2009"><attvalues>{values}</attvalues>{spells}</node>'
    declared = attribute("0", "price", "integer") + attribute("1", "size", "integer")
    declared += attribute("2", "tide", "integer")
    index, report = read(
        document(nodes, declared=declared, graph='mode="dynamic" defaultedgetype="directed"')
    )
    assert node(index, "n").properties == {
        "price": [
            {"value": 1, "start": "2009", "end": "2010"},
            {"value": 2, "start": "2010"},
            {"value": 4},
        ],
        "tide": [{"value": 5}, {"value": 6, "start": "2011"}],
        "size": 3,
        "start": "2009",
        "spells": [{"start": "2009", "end": "2010"}, {"start": "2012"}],
    }
    assert report.notes == ("the graph changes in time: properties tell when a node, edge or value is valid",)


DRAWN = (
    '<node id="n"><viz:color r="255" g="0" b="16"/><viz:position x="1.5" y="-2" z="0"/>'
    '<viz:size value="20"/><viz:shape value="disc"/></node>'
)


def test_how_records_are_drawn_is_left_out_with_a_note(read):
    index, report = read(document(DRAWN))
    assert node(index, "n").properties == {}
    assert report.notes == ("left out: how records are drawn; graph.viz=true keeps it (4)",)


def test_how_records_are_drawn_is_kept_when_asked(read):
    index, report = read(document(DRAWN), viz=True)
    assert node(index, "n").properties == {
        "viz_color": "#ff0010",
        "viz_position": [1.5, -2, 0],
        "viz_size": 20,
        "viz_shape": "disc",
    }
    assert report.notes == ()


def test_nodes_without_id_are_skipped_and_unknown_ends_dangle(read):
    index, report = read(document('<node label="x"/><node id="a"/>', '<edge source="a" target="z"/><edge/>'))
    assert (index.node_count, index.edge_count, index.dangling_edges) == (1, 1, 1)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an edge without a source or a target",
    ]


def test_what_networkx_writes_is_read_as_networkx_reads_it(tmp_path):
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("a", label="A", size=7, share=0.5, seen=True)
    graph.add_edge("a", "b", relation="owns", weight=2.0)
    graph.add_edge("a", "b", relation="uses", weight=1.0)
    nx.write_gexf(graph, tmp_path / "g.gexf")
    index, report = load(GexfGraph, tmp_path / "g.gexf")
    assert (node(index, "a").label, node(index, "a").properties) == (
        "A",
        {"size": 7, "share": 0.5, "seen": True},
    )
    assert edges(index) == ["a -owns-> b", "a -uses-> b"]
    assert [edge.weight for edge in index.all_edges()] == [2, 1]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("<!DOCTYPE html><html><head>", "The file looks like an HTML page, not GEXF."),
        ("<graphml/>", "its first element is <graphml>, not <gexf>"),
        ("<gexf/>", "The file has no <graph>."),
        ("<gexf><graph><nodes><node", "The file is not well-formed XML"),
        ('<!DOCTYPE g [<!ENTITY f SYSTEM "file:///etc/hostname">]><gexf>&f;</gexf>', "declares the entity"),
    ],
)
def test_what_is_no_gexf_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.gexf", content)
    with pytest.raises(GraphSourceError) as refused:
        load(GexfGraph, path)
    assert what in str(refused.value)
    assert str(path) in refused.value.where


@shared
@pytest.mark.parametrize(
    ("name", "nodes", "rels", "dangling", "repaired"),
    [
        ("formats/gexf/les_miserables.gexf", 77, 254, 0, 0),
        ("formats/gexf/liststring.gexf", 4, 5, 0, 0),
        ("formats/gexf/missing_nodes.gexf", 2, 4, 3, 0),
        ("formats/gexf/rio.gexf", 366, 1107, 0, 0),
        ("formats/gexf/undeclared_attribute.gexf", 2, 1, 0, 2),
        ("formats/gexf/v1_3.gexf", 2, 1, 0, 0),
        ("bug_files/invented/gexf13.gexf", 2, 1, 0, 0),
    ],
)
def test_real_files(name, nodes, rels, dangling, repaired):
    index, report = load(GexfGraph, DATA / name)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (nodes, rels, dangling)
    counts = report.counts()
    assert [counts[kind] for kind in ("repaired", "skipped", "blank", "duplicated")] == [repaired, 0, 0, 0]


@shared
def test_a_real_file_has_the_values_that_networkx_reads():
    path = DATA / "formats/gexf/rio.gexf"
    index, _ = load(GexfGraph, path)
    other = nx.read_gexf(path)
    for found in index.all_nodes():
        attributes = dict(other.nodes[found.node_id])
        assert attributes.pop("label") == found.label
        del attributes["viz"]
        assert found.properties == attributes
    assert {(edge.source_id, edge.target_id) for edge in index.all_edges()} == set(other.edges())


@shared
def test_a_real_file_has_lists():
    index, _ = load(GexfGraph, DATA / "formats/gexf/v1_3.gexf")
    abc = ["a", "b", "c"]
    assert node(index, "Suzy").properties == {
        **dict.fromkeys(("pipe", "comma", "raw", "double", "mixed"), abc),
        "single": ["a", "'b'", "c"],
        "booleans": [True, False, False],
        "numbers": [1.0, 1.5, 2.0],
    }
    assert edges(index) == ["John -likes-> Suzy"]
