"""Choosing a format, and files that appear whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

import networkx as nx
import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeGraph, KnowledgeNode
from graphrag_pipeline.graph.export.atomic import write_text
from graphrag_pipeline.graph.export.contract import GraphWriter
from graphrag_pipeline.graph.export.formats import export, writer_for
from tests.tiny import index_of

SMALL = index_of("a b", "a>b a>b b>a")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("g.json", "json"),
        ("G.JSON", "json"),
        ("g.nodelink.json", "nodelink"),
        ("g.node-link.json", "nodelink"),
        ("g.graphml", "graphml"),
        ("x.y.ttl", "turtle"),
    ],
)
def test_the_ending_of_a_name_chooses_the_format(name, form):
    assert writer_for(Path(name)).name == form


@pytest.mark.parametrize("name", ["g", "g.txt", "folder", ".json.bak"])
def test_a_name_that_tells_no_format_is_refused(name):
    with pytest.raises(GraphSourceError, match="does not tell a format") as refused:
        writer_for(Path(name))
    assert "--to: csv, graphml, json, nodelink, parquet, turtle" in refused.value.hint


def test_a_misspelt_format_is_told_its_neighbour():
    with pytest.raises(GraphSourceError) as refused:
        writer_for(Path("g"), "grahml")
    assert refused.value.hint == "Did you mean 'graphml'?"


def test_strict_networkx_reads_our_graphml(tmp_path):
    path = tmp_path / "g.graphml"
    export(SMALL, path, writer_for(path))
    text = path.read_text()
    assert [f'id="e{number}"' in text for number in range(4)] == [True, True, True, False]
    read = nx.read_graphml(path)
    assert isinstance(read, nx.MultiDiGraph)
    assert sorted(read.edges(keys=True)) == [("a", "b", "e0"), ("a", "b", "e1"), ("b", "a", "e2")]
    assert read.nodes["a"] == {"node_type": "concept", "label": "a", "namespace": "fcc"}


def test_mixed_values_are_json_text_in_graphml_and_every_key_is_declared(tmp_path):
    index = GraphIndex.from_records(
        [
            KnowledgeNode("v1", "t", "v1", properties={"score": 0.4, "tags": ["x", "y"], "meta": {"k": 1}}),
            KnowledgeNode("v2", "t", "v2"),
            KnowledgeNode("v3", "t", "v3", properties={"score": "n/a"}),
        ]
    )
    path = tmp_path / "g.graphml"
    export(index, path, writer_for(path))
    read = nx.read_graphml(path)
    assert {name: data.get("score") for name, data in read.nodes(data=True)} == {
        "v1": "0.4",
        "v2": None,
        "v3": '"n/a"',
    }
    assert json.loads(read.nodes["v1"]["tags"]) == ["x", "y"]


def test_networkx_reads_our_node_link_file_and_gives_an_equal_graph_back(tmp_path):
    path = tmp_path / "g.nodelink.json"
    index = index_of("a b", "a>b b>ghost a>b")
    export(index, path, writer_for(path))
    read = nx.node_link_graph(json.loads(path.read_text()), edges="edges")
    assert KnowledgeGraph.from_networkx(read).to_dict() == index.to_dict()


def test_the_reference_reads_our_json(tmp_path):
    path = tmp_path / "g.json"
    export(SMALL, path, writer_for(path))
    assert KnowledgeGraph.from_dict(json.loads(path.read_text())).to_dict() == SMALL.to_dict()


def test_what_only_python_has_is_told_and_written_as_json_data(tmp_path):
    index = GraphIndex.from_records([KnowledgeNode("a", "t", "A", properties={"s": {1}, "x": 1})])
    writer = writer_for(tmp_path / "g.json")
    assert [(loss.count, loss.places) for loss in writer.losses(index)] == [(1, ("node 'a': {1} (set)",))]
    export(index, tmp_path / "g.json", writer)
    (entry,) = json.loads((tmp_path / "g.json").read_text())["nodes"]
    assert entry["properties"] == {"s": [1], "x": 1}


def test_two_ids_that_would_become_one_are_refused():
    index = GraphIndex.from_records([KnowledgeNode("a\x01", "t", "A"), KnowledgeNode("a\x02", "t", "B")])
    with pytest.raises(GraphSourceError, match="differ only in characters that this format cannot hold"):
        writer_for(Path("g.graphml")).losses(index)


# -- writing ---------------------------------------------------------------------------------------


class Failing:
    """Writes half a file and then cannot go on."""

    name = "failing"
    suffixes: tuple[str, ...] = (".x",)

    def losses(self, index: GraphIndex) -> tuple[()]:
        return ()

    def notes(self, index: GraphIndex) -> tuple[()]:
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        if path.is_dir():
            path = path / "nodes.failing"
        path.write_text("half")
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("suffixes", [(".x",), ()])
def test_a_write_that_fails_leaves_what_was_there_and_nothing_else(tmp_path, suffixes):
    writer = Failing()
    writer.suffixes = suffixes
    path = tmp_path / "out"
    if suffixes:
        path.write_text("before")
    else:
        path.mkdir()
        (path / "nodes.failing").write_text("before")
    with pytest.raises(GraphSourceError, match="cannot be written: No space left on device"):
        export(SMALL, path, writer, replace=True)
    kept = path if suffixes else path / "nodes.failing"
    assert kept.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_what_is_there_is_replaced_only_when_asked(tmp_path):
    path = tmp_path / "g.json"
    path.write_text("before")
    with pytest.raises(GraphSourceError, match="There is something already"):
        export(SMALL, path, writer_for(path))
    assert path.read_text() == "before"
    export(SMALL, path, writer_for(path), replace=True)
    assert json.loads(path.read_text())["version"] == "1.0.0"


def test_a_folder_of_tables_is_replaced_whole_and_one_with_other_files_never(tmp_path):
    writer, path = writer_for(Path("x"), "csv"), tmp_path / "out"
    path.mkdir()
    export(SMALL, path, writer)
    assert sorted(entry.name for entry in path.iterdir()) == ["edges.csv", "nodes.csv"]
    export(index_of("z"), path, writer, replace=True)
    assert "z" in (path / "nodes.csv").read_text()
    (path / "mine.txt").write_text("x")
    with pytest.raises(GraphSourceError, match=r"holds other files, such as 'mine\.txt'"):
        export(SMALL, path, writer, replace=True)


@pytest.mark.parametrize(("form", "kind"), [("json", "folder"), ("csv", "file")])
def test_a_file_is_not_put_where_a_folder_is_nor_the_reverse(tmp_path, form, kind):
    path = tmp_path / "out"
    path.mkdir() if kind == "folder" else path.write_text("x")
    with pytest.raises(GraphSourceError, match=f"A {kind} is there"):
        export(SMALL, path, writer_for(path, form), replace=True)


@pytest.mark.parametrize("name", ["missing/g.json", "g\0.json", "/"])
def test_a_place_that_cannot_be_written_is_named(tmp_path, name):
    path = Path(name) if name == "/" else tmp_path / name
    with pytest.raises(GraphSourceError):
        export(SMALL, path, writer_for(path, "json"), replace=True)


def test_files_get_the_permissions_of_other_new_files(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("x")
    export(SMALL, tmp_path / "g.json", writer_for(tmp_path / "g.json"))
    write_text(tmp_path / "m.svg", "<svg/>")
    modes = {path.stat().st_mode for path in (plain, tmp_path / "g.json", tmp_path / "m.svg")}
    assert len(modes) == 1


def test_large_graphs_are_written_in_batches(tmp_path):
    nodes = [KnowledgeNode(f"n{number}", "t", "N") for number in range(20_000)]
    index = GraphIndex.from_records(nodes, [KnowledgeEdge("n1", "n2", "t")])
    writer: GraphWriter = writer_for(tmp_path / "out", "parquet")
    export(index, tmp_path / "out", writer)
    import pyarrow.parquet as pq

    assert pq.read_metadata(tmp_path / "out" / "nodes.parquet").num_rows == 20_000


# -- places ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("replace", [False, True])
def test_a_pipe_or_device_is_never_replaced(tmp_path, replace):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(GraphSourceError, match="no file, but a device, a pipe or a socket"):
        export(SMALL, tmp_path / "pipe.json", writer_for(Path("x.json")), replace=replace)
    with pytest.raises(GraphSourceError, match="no file, but a device"):
        write_text(tmp_path / "pipe.json", "x", replace=replace)
    assert (tmp_path / "pipe.json").is_fifo()


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    target = tmp_path / "real" / "g.json"
    target.parent.mkdir()
    link = tmp_path / "g.json"
    link.symlink_to(target)
    export(SMALL, link, writer_for(link))
    assert link.is_symlink()
    assert json.loads(target.read_text())["version"] == "1.0.0"
    with pytest.raises(GraphSourceError, match="There is something already"):
        export(SMALL, link, writer_for(link))
    export(index_of("z"), link, writer_for(link), replace=True)
    assert link.is_symlink()
    assert '"z"' in target.read_text()


def test_what_is_replaced_keeps_its_permissions(tmp_path):
    path = tmp_path / "g.json"
    path.write_text("before")
    path.chmod(0o600)
    export(SMALL, path, writer_for(path), replace=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_appears_while_another_is_written_is_not_replaced(tmp_path):
    path = tmp_path / "out.x"

    class Slow(Failing):
        def write(self, index: GraphIndex, path: Path) -> None:
            path.write_text("ours")
            (tmp_path / "out.x").write_text("theirs")

    with pytest.raises(GraphSourceError, match="There is something already"):
        export(SMALL, path, Slow())
    assert path.read_text() == "theirs"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.x"]


def test_a_file_that_appears_in_a_folder_while_that_is_replaced_is_kept(tmp_path):
    path = tmp_path / "out"
    path.mkdir()
    (path / "nodes.failing").write_text("before")

    class Slow(Failing):
        suffixes = ()

        def write(self, index: GraphIndex, path: Path) -> None:
            (path / "nodes.failing").write_text("ours")
            (tmp_path / "out" / "notes.txt").write_text("mine")

    with pytest.raises(GraphSourceError, match=r"other files, such as 'notes\.txt'"):
        export(SMALL, path, Slow(), replace=True)
    assert sorted(entry.name for entry in path.iterdir()) == ["nodes.failing", "notes.txt"]


def test_properties_named_like_fields_do_not_hide_these_from_other_readers(tmp_path):
    index = GraphIndex.from_records(
        [KnowledgeNode("a", "t", "A", properties={"label": "Alias", "property.label": "x"})],
        [KnowledgeEdge("a", "a", "t", weight=2.0, properties={"weight": 7, "edge_type": "x"})],
    )
    path = tmp_path / "g.graphml"
    export(index, path, writer_for(path))
    read = nx.read_graphml(path)
    assert read.nodes["a"]["label"] == "A"
    assert read.nodes["a"]["property.label"] == "Alias"
    (edge,) = [data for _, _, data in read.edges(data=True)]
    assert (edge["weight"], edge["edge_type"], edge["property.weight"]) == (2.0, "t", 7)


def test_weights_of_one_kind_are_a_column_of_numbers_in_parquet(tmp_path):
    import pyarrow.parquet as pq

    for name, weights in (
        ("double", (0.5, 2.0)),
        ("int64", (1, 2)),
        ("string", (1, 0.5)),
        ("double", (1.0, 1.0)),
    ):
        edges = [KnowledgeEdge("a", "a", "t", weight=weight) for weight in weights]
        index = GraphIndex.from_records([KnowledgeNode("a", "t", "A")], edges)
        export(index, tmp_path / "o", writer_for(Path("o"), "parquet"), replace=True)
        assert str(pq.read_schema(tmp_path / "o" / "edges.parquet").field("weight").type) == name


def test_turtle_tells_when_it_needs_rdf_1_2():
    writer = writer_for(Path("g.ttl"))
    assert writer.notes(SMALL) == ()
    (note,) = writer.notes(GraphIndex.from_records([], [KnowledgeEdge("a", "b", "t", weight=2)]))
    assert "RDF 1.2" in note
