from __future__ import annotations

import networkx as nx
import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.gml import tokens as gml_tokens
from graphrag_pipeline.graph.sources.gml.source import GmlGraph
from tests.graph.sources.files import DATA, edges, load, node, only_edge, said, shared, written

UNDIRECTED = "the graph is undirected; each edge keeps the order in which its ends are written"


@pytest.fixture
def read(tmp_path):
    """Write a file, and load it."""
    return lambda content, **params: load(GmlGraph, written(tmp_path / "g.gml", content), **params)


def graph(body: str) -> str:
    return f"graph [ directed 1 {body} ]"


def test_nodes_edges_and_their_attributes_are_read(read):
    index, report = read(
        """
        Creator "by hand"
        Version 1
        # the pumps
        graph [
          directed 1
          comment "two [machines] # here"
          node [ id 1 label "Pump" type "machine" size 9007199254740993 share .5e1 ]
          node [ id 2 ]  # no label
          edge [ source 1 target 2 label "feeds" weight 0.5 ]
        ]
        """
    )
    pump = node(index, "1")
    assert (pump.label, pump.node_type) == ("Pump", "machine")
    assert pump.properties == {"size": 9007199254740993, "share": 5.0}
    assert node(index, "2").label == "2"
    assert edges(index) == ["1 -feeds-> 2"]
    assert only_edge(index).weight == 0.5
    assert report.account.read == {"nodes": 2, "edges": 1}
    assert (report.findings, report.notes) == ((), ("left out: attributes of the graph itself (1)",))


@pytest.mark.parametrize("directed", ["", "directed 0"])
def test_a_graph_that_is_not_directed_is_noted(read, directed):
    _, report = read(f"graph [ {directed} node [ id 1 ] ]")
    assert report.notes == (UNDIRECTED,)


def test_edges_may_be_repeated_and_come_first(read):
    index, _ = read(
        graph("edge [ source 1 target 2 ] edge [ source 1 target 2 ] node [ id 1 ] node [ id 2 ]")
    )
    assert edges(index) == ["1 -related_to-> 2", "1 -related_to-> 2"]
    assert index.dangling_edges == 0


def test_lists_are_objects_and_repeated_keys_are_lists(read):
    index, _ = read(graph('node [ id 1 graphics [ x 1 fill "#FFF" at [ y 2 ] ] tag "a" tag "b" ]'))
    assert node(index, "1").properties == {
        "graphics": {"x": 1, "fill": "#FFF", "at": {"y": 2}},
        "tag": ["a", "b"],
    }


def test_entities_in_texts_are_characters(read):
    index, report = read(
        graph(
            'node [ id 1 label "Gr&#246;&#xDF;e &amp; &quot;x&quot; &#128640; &eacute; &nothing; AT&T; &" ]'
        )
    )
    assert node(index, "1").label == 'Größe & "x" 🚀 é &nothing; AT&T; &'
    assert report.findings == ()


def test_numbers_without_digits(read):
    index, report = read(graph("node [ id 1 a NAN b +INF c 1e999 d yes ]"))
    assert node(index, "1").properties == {"b": float("inf"), "c": "1e999", "d": "yes"}
    assert said(report) == [
        "repaired ×2: a value is neither a number nor in quotes; it is read as text",
        "blank ×1: a value is NaN, which stands for no value; it is left out",
    ]


def test_ids_are_exact(read):
    index, _ = read(graph('node [ id 9007199254740993 ] node [ id 9007199254740992 ] node [ id "a b" ]'))
    assert list(index.ids) == ["9007199254740993", "9007199254740992", "a b"]


def test_one_id_as_number_and_as_text_is_refused(read):
    with pytest.raises(GraphSourceError, match="The id 10 is written both as text and as a number"):
        read(graph('node [ id 10 ]\nnode [ id "10" ]'))


def test_what_has_no_id_is_skipped_with_its_line(read):
    index, report = read(
        graph('node [ label "x" ]\nnode [ id [ a 1 ] ]\nedge [ source 1 ]\nedge [ source 1 target 2 ]')
    )
    assert (index.node_count, index.edge_count, index.dangling_edges) == (0, 1, 1)
    assert said(report) == [
        "skipped ×1: a node without an id",
        "skipped ×1: an id that is a list is none; what has it is left out",
        "skipped ×1: an edge without a source or a target",
    ]
    assert [finding.places[0][-1] for finding in report.findings] == ["1", "2", "3"]


def test_latin_1_is_read_and_noted(read):
    content = graph('node [ id 1 label "Größe" ]')
    for encoding in ("utf-8", "utf-8-sig"):
        index, report = read(content.encode(encoding))
        assert (node(index, "1").label, report.notes) == ("Größe", ())
    index, report = read(content.encode("latin-1"))
    assert node(index, "1").label == "Größe"
    assert report.notes == ("the file is not UTF-8; it is read as Latin-1",)


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64])
def test_words_may_be_cut_anywhere_when_a_file_is_read_in_pieces(read, monkeypatch, piece):
    content = graph('node [ id 12 label "Größe\n&amp; more" ] # end\nnode [ id 3 oops ]')
    monkeypatch.setattr(gml_tokens, "PIECE", piece)
    with pytest.raises(GraphSourceError) as refused:
        read(content)
    assert refused.value.where.endswith("g.gml:3")
    index, _ = read(content.replace("oops", ""))
    assert (list(index.ids), node(index, "12").label) == (["12", "3"], "Größe\n& more")


def test_a_text_without_end_is_told_with_the_line_where_it_starts(read):
    with pytest.raises(GraphSourceError) as refused:
        read('graph [\n # a comment\n\n  "x\n ]\n')
    assert refused.value.where.endswith("g.gml:4")


def test_only_nodes_and_edges_of_the_graph_itself_are_records(read):
    index, report = read(graph("node [ id 1 edge [ source 1 ] ] style [ node [ id 2 ] ]") + " node [ id 3 ]")
    assert list(index.ids) == ["1"]
    assert node(index, "1").properties == {"edge": {"source": 1}}
    assert report.account.read == {"nodes": 1}


def test_an_entity_beyond_the_last_character_stays(read):
    index, _ = read(graph('node [ id 1 label "&#1114111; &#1114112;" ]'))
    assert node(index, "1").label == "\U0010ffff &#1114112;"


def test_several_graphs_are_read_as_one(read):
    index, report = read("graph [ node [ id 1 ] ] graph [ directed 1 node [ id 2 ] ]")
    assert list(index.ids) == ["1", "2"]
    assert report.notes == ("the file has 2 graphs; they are read as one",)


def test_what_networkx_writes_is_read_as_networkx_reads_it(tmp_path):
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("ä", size=7, share=0.5, tags=["x"], meta={"k": [1, 2]})
    graph.add_edge("ä", "b", relation="owns", weight=2)
    graph.add_edge("ä", "b", relation="uses", weight=1)
    nx.write_gml(graph, tmp_path / "g.gml")
    index, report = load(GmlGraph, tmp_path / "g.gml")
    assert node(index, "0").label == "ä"
    assert node(index, "0").properties == {"size": 7, "share": 0.5, "tags": ["x"], "meta": {"k": [1, 2]}}
    assert edges(index) == ["0 -owns-> 1", "0 -uses-> 1"]
    assert [edge.properties for edge in index.all_edges()] == [{}, {}]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("Creator 1", "The file has no graph [ … ]."),
        ("node [ id 1 ]", "The file has no graph [ … ]."),
        ("graph [ node [ id 1 ]", "The file ends inside of a list."),
        ("graph", "The file ends inside of a list."),
        ('graph [ label "x ]', "A text has no closing quote."),
        ("graph [ id ]", "A list ends where none is open, or where a value must be."),
        ("graph [ ] ]", "A list ends where none is open, or where a value must be."),
        ("[ ]", "There is a list without a key."),
        ('graph [ "id" 1 ]', "There is 'id' where a key must be."),
        ("1 2", "There is '1' where a key must be."),
        ("a [ " * 600, "Lists are nested more than 500 levels deep."),
        ("<html>", "The file is not GML."),
        ("", "The file is not GML."),
        (b"a \0", "The file is not GML."),
        ("graph [ ]".encode("utf-16"), "The file is not GML."),
    ],
)
def test_what_is_no_gml_is_refused(tmp_path, content, what):
    path = written(tmp_path / "g.gml", content)
    with pytest.raises(GraphSourceError) as refused:
        load(GmlGraph, path)
    assert refused.value.what == what
    assert str(path) in refused.value.where


def test_a_text_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(gml_tokens, "PIECE", 64)
    monkeypatch.setattr(gml_tokens, "LONGEST", 1 << 10)
    path = written(tmp_path / "g.gml", graph(f'node [ id 1 label "{"x" * 2000}" ]'))
    with pytest.raises(GraphSourceError, match="A text is longer than"):
        load(GmlGraph, path)


@shared
def test_the_real_file():
    index, report = load(GmlGraph, DATA / "formats/gml/football.gml")
    assert (index.node_count, index.edge_count, index.dangling_edges) == (115, 613, 0)
    assert (node(index, "0").label, node(index, "0").properties) == ("BrighamYoung", {"value": 7})
    assert (node(index, "114").label, report.findings, report.notes) == ("Hawaii", (), (UNDIRECTED,))


@shared
def test_the_real_file_has_the_edges_that_its_text_has():
    path = DATA / "formats/gml/football.gml"
    words = path.read_text().split()
    ends = [(words[at + 1], words[at + 3]) for at, word in enumerate(words) if word == "source"]
    index, _ = load(GmlGraph, path)
    assert [(edge.source_id, edge.target_id) for edge in index.all_edges()] == ends
