"""Public faults of tools like ours, as files: each is read right here, or refused with a message.

The names of the tests say what went wrong elsewhere; the reports behind them are public.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphrag_pipeline import (
    FileGraph,
    GraphIndex,
    GraphRAG,
    GraphSourceError,
    KnowledgeEdge,
    KnowledgeNode,
    load_pipeline,
)
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.export.formats import export, writer_for
from graphrag_pipeline.graph.sources.archimate.source import ArchiMateGraph
from graphrag_pipeline.graph.sources.auto import AutoGraph
from graphrag_pipeline.graph.sources.gexf.source import GexfGraph
from graphrag_pipeline.graph.sources.graphml.source import GraphMLGraph
from graphrag_pipeline.graph.sources.msgraphrag.source import MsGraphRagGraph
from graphrag_pipeline.graph.sources.node_link import NodeLinkGraph
from graphrag_pipeline.graph.sources.rdf.source import RdfGraph
from graphrag_pipeline.graph.sources.tables.csv_source import CsvGraph
from graphrag_pipeline.graph.sources.tables.parquet_source import ParquetGraph
from tests.graph.sources.files import edges, load, node, only_edge, said, written

GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">%s'
    '<graph edgedefault="directed">%s</graph></graphml>'
)
ARCHI = (
    '<archimate:model xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:archimate="http://www.archimatetool.com/archimate" name="m" id="m">%s</archimate:model>'
)
EXCHANGE = (
    '<model xmlns="http://www.opengroup.org/xsd/archimate/3.0/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" identifier="id-1">'
    "<elements>%s</elements>%s</model>"
)


def refused(source: type[FileGraph[Any]], path: Path, **params: Any) -> str:
    with pytest.raises(GraphSourceError) as error:
        source(source.Params(path=str(path), **params)).load()
    assert str(path) in error.value.where
    return str(error.value)


def reread(index: GraphIndex, path: Path) -> GraphIndex:
    export(index, path, writer_for(path))
    return as_index(AutoGraph(AutoGraph.Params(path=str(path))).load().graph)


# -- C: graph files --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["links", "edges"])
def test_28_edges_under_either_key_are_never_a_graph_without_edges(tmp_path, key):
    data = {"directed": True, "nodes": [{"id": "p1"}, {"id": "p2"}], key: [{"source": "p1", "target": "p2"}]}
    index, _ = load(NodeLinkGraph, written(tmp_path / "g.json", json.dumps(data)))
    assert (index.node_count, index.edge_count) == (2, 1)


def test_28_neither_key_is_an_error_naming_both(tmp_path):
    said_ = refused(NodeLinkGraph, written(tmp_path / "g.json", '{"nodes": [{"id": "p1"}]}'))
    assert "'edges'" in said_
    assert "'links'" in said_


def test_29_positions_are_no_phantom_nodes(tmp_path):
    path = written(tmp_path / "g.json", '{"nodes":[{"id":3},{"id":4}],"links":[{"source":0,"target":1}]}')
    assert "graph.ends=index" in refused(NodeLinkGraph, path)


def test_31_a_number_as_seed_finds_its_node_and_two_kinds_of_ten_are_refused(tmp_path):
    path = written(tmp_path / "g.graphml", GRAPHML % ("", '<node id="10"/><node id="11"/>'))
    index, _ = load(GraphMLGraph, path)
    assert [entry.node_id for entry in GraphRAG(index).query("10").nodes] == ["10"]
    mixed = written(tmp_path / "g.json", '{"nodes": [{"id": 10}, {"id": "10"}], "links": []}')
    assert "10" in refused(NodeLinkGraph, mixed)


def test_32_a_column_of_text_numbers_and_nothing_survives_graphml(tmp_path):
    path = written(tmp_path / "nodes.csv", "id,score\nv1,0.4\nv2,\nv3,n/a\n")
    index, _ = load(CsvGraph, path)
    back = reread(index, tmp_path / "g.graphml")
    scores = [entry.properties.get("score") for entry in back.all_nodes()]
    assert scores == [0.4, None, "n/a"]
    assert "score" not in node(back, "v2").properties
    assert nx.read_graphml(tmp_path / "g.graphml").number_of_nodes() == 3


def test_34_a_key_that_nobody_declared_is_read_and_told(tmp_path):
    body = '<node id="a"/><node id="b"/><edge source="a" target="b"><data key="rel">feeds</data></edge>'
    index, report = load(GraphMLGraph, written(tmp_path / "g.graphml", GRAPHML % ("", body)))
    assert edges(index) == ["a -feeds-> b"]
    assert report.counts()["repaired"] == 1


def test_35_an_empty_value_is_the_empty_text(tmp_path):
    key = '<key id="d1" for="node" attr.name="note" attr.type="string"/>'
    body = '<node id="n1"><data key="d1"></data></node>'
    index, _ = load(GraphMLGraph, written(tmp_path / "g.graphml", GRAPHML % (key, body)))
    assert node(index, "n1").properties == {"note": ""}


def test_37_every_edge_has_an_id_of_its_own(tmp_path):
    index = GraphIndex.from_records(
        [KnowledgeNode(name, "t", name) for name in "abc"],
        [KnowledgeEdge(source, target, "t") for source, target in ("ab", "ba", "bc")],
    )
    assert reread(index, tmp_path / "g.graphml").edge_count == 3
    text = (tmp_path / "g.graphml").read_text()
    assert all(f'<edge id="e{number}"' in text for number in range(3))


def test_38_ids_of_edges_change_nothing(tmp_path):
    nodes = '<node id="a"/><node id="b"/>'
    plain = written(tmp_path / "p.graphml", GRAPHML % ("", nodes + '<edge source="a" target="b"/>'))
    with_id = written(tmp_path / "i.graphml", GRAPHML % ("", nodes + '<edge id="7" source="a" target="b"/>'))
    assert load(GraphMLGraph, plain)[0].digest == load(GraphMLGraph, with_id)[0].digest


def test_40_one_bad_character_spoils_one_value_not_the_batch(tmp_path):
    nodes = [{"id": f"e{number}", "description": "fine"} for number in range(49)]
    nodes.append({"id": "e49", "description": "ratio \frac{a}{b}"})
    path = written(tmp_path / "g.json", json.dumps({"nodes": nodes, "links": []}))
    index, report = load(NodeLinkGraph, path)
    assert index.node_count == 50
    assert node(index, "e49").properties == {"description": "ratio \ufffdrac{a}{b}"}
    assert report.counts()["repaired"] == 1


BIG = ["9007199254740993", "9007199254740992"]


def test_41_large_numbers_are_exact_everywhere(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    index, _ = load(
        CsvGraph, written(tmp_path / "c" / "nodes.csv", "id,n\n" + "".join(f"{n},{n}\n" for n in BIG))
    )
    assert [(entry.node_id, entry.properties["n"]) for entry in index.all_nodes()] == [
        (n, int(n)) for n in BIG
    ]
    pq.write_table(
        pa.table({"id": [int(n) for n in BIG], "n": [int(n) for n in BIG]}), tmp_path / "p.parquet"
    )
    table, _ = load(ParquetGraph, tmp_path / "p.parquet")
    assert [entry.node_id for entry in table.all_nodes()] == BIG
    for name in ("g.graphml", "g.nodelink.json", "g.ttl", "g.json"):
        assert reread(index, tmp_path / name).all_nodes() == index.all_nodes()


def test_43_a_saved_web_page_is_called_one(tmp_path):
    path = written(tmp_path / "routes.graphml", "<!DOCTYPE html><html><head><meta data-x><title>x</title>")
    assert "looks like an HTML page, not GraphML" in refused(GraphMLGraph, path)


def test_44_a_long_is_a_whole_number(tmp_path):
    key = '<key id="d0" for="node" attr.name="size" attr.type="long"/>'
    path = written(tmp_path / "g.graphml", GRAPHML % (key, '<node id="a"><data key="d0">7</data></node>'))
    assert node(load(GraphMLGraph, path)[0], "a").properties == {"size": 7}


def test_46_lists_and_objects_are_written_and_restored(tmp_path):
    data = {"nodes": [{"id": "a", "tags": ["x", "y"], "meta": {"k": 1}}], "links": []}
    index, _ = load(NodeLinkGraph, written(tmp_path / "g.json", json.dumps(data)))
    back = reread(index, tmp_path / "o.graphml")
    assert node(back, "a").properties == {"tags": ["x", "y"], "meta": {"k": 1}}


@pytest.mark.parametrize("source", [GraphMLGraph, GexfGraph, ArchiMateGraph])
def test_47_entities_are_refused_and_show_nothing(tmp_path, source):
    secret = written(tmp_path / "secret", "hunter2")
    for declared in ('<!ENTITY a "aa"><!ENTITY l "&a;&a;">', f'<!ENTITY l SYSTEM "{secret.as_uri()}">'):
        path = written(tmp_path / "g.xml", f"<!DOCTYPE g [{declared}]><graphml>&l;</graphml>")
        told = refused(source, path)
        assert "entit" in told
        assert "hunter2" not in told


# -- D: Microsoft GraphRAG -------------------------------------------------------------------------


def parquet(folder: Path, **tables: dict[str, list[Any]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    return folder


def test_49_columns_that_a_release_lacks_are_told_and_not_needed(tmp_path):
    least = parquet(
        tmp_path / "o",
        entities={"id": ["1", "2"], "title": ["A", "B"]},
        relationships={"source": ["A"], "target": ["B"]},
        communities={"community": [0], "level": [0], "title": ["C"], "entity_ids": [["1"]]},
    )
    index, report = load(MsGraphRagGraph, least, communities=True)
    assert [entry.label for entry in index.all_nodes()][:2] == ["A", "B"]
    assert "A -related_to-> B" in edges(index)
    assert any("entities.parquet" in note and "description" in note for note in report.notes), report.notes


def test_50_both_layouts_of_one_content_are_one_graph_and_a_mix_is_refused(tmp_path):
    content: dict[str, list[Any]] = {"id": ["1", "2"], "description": ["x", "y"]}
    ends: dict[str, list[Any]] = {"source": ["A"], "target": ["B"], "description": ["d"]}
    old = parquet(
        tmp_path / "a",
        create_final_entities={**content, "name": ["A", "B"]},
        create_final_relationships=ends,
    )
    new = parquet(tmp_path / "b", entities={**content, "title": ["A", "B"]}, relationships=ends)
    assert load(MsGraphRagGraph, old)[0].digest == load(MsGraphRagGraph, new)[0].digest
    mixed = parquet(tmp_path / "c", create_final_entities={"name": ["A"]}, entities={"title": ["A"]})
    with pytest.raises(GraphSourceError) as error:
        load(MsGraphRagGraph, mixed)
    assert "create_final_entities.parquet" in str(error.value)


def test_52_no_relationships_at_all_are_isolated_nodes(tmp_path):
    path = parquet(tmp_path / "o", entities={"id": ["1", "2"], "title": ["A", "B"]}, relationships={})
    index, _ = load(MsGraphRagGraph, path)
    assert (index.node_count, index.edge_count) == (2, 0)
    overrides = ["graph=msgraphrag", f"graph.path={path}", "bridge=noop", "personas=none"]
    assert [entry.label for entry in load_pipeline(overrides).run("A").nodes] == ["A"]


# -- G: ArchiMate, tables, RDF ---------------------------------------------------------------------


def test_89_exchange_files_of_version_2_are_read(tmp_path):
    text = (
        '<model xmlns="http://www.opengroup.org/xsd/archimate" xmlns:xsi="http://www.w3.org/2001/'
        'XMLSchema-instance" identifier="id-1"><elements><element identifier="id-2" xsi:type="Goal">'
        "<label>Cut leaks</label></element></elements></model>"
    )
    index, _ = load(ArchiMateGraph, written(tmp_path / "m.xml", text))
    assert [(entry.node_type, entry.label) for entry in index.all_nodes()] == [("Goal", "Cut leaks")]


def test_91_a_zipped_model_is_the_model(tmp_path):
    import zipfile

    model = ARCHI % '<element xsi:type="archimate:Goal" name="G" id="g"/>'
    with zipfile.ZipFile(tmp_path / "plant.archimate", "w") as archive:
        archive.writestr("model.xml", model)
        archive.writestr("images/1.png", b"\x89PNG")
    plain = written(tmp_path / "plain.archimate", model)
    assert (
        load(ArchiMateGraph, tmp_path / "plant.archimate")[0].digest == load(ArchiMateGraph, plain)[0].digest
    )


def test_92_nested_folders_are_kept(tmp_path):
    organizations = (
        "<organizations><item><label>Business</label><item><label>North</label>"
        '<item identifierRef="id-x9"/></item></item></organizations>'
    )
    element = '<element identifier="id-x9" xsi:type="Goal"><name>G</name></element>'
    index, _ = load(ArchiMateGraph, written(tmp_path / "m.xml", EXCHANGE % (element, organizations)))
    assert [entry.properties["folder"] for entry in index.all_nodes()] == ["Business/North"]


def test_94_an_element_may_have_two_profiles(tmp_path):
    body = (
        '<element xsi:type="archimate:ApplicationService" id="s1" name="Intake" profiles="p1 p2"/>'
        '<profile id="p1" name="Microservice"/><profile id="p2" name="Legacy"/>'
    )
    index, _ = load(ArchiMateGraph, written(tmp_path / "m.archimate", ARCHI % body))
    assert node(index, "s1").properties["specializations"] == ["Microservice", "Legacy"]


def test_95_one_model_in_both_formats_has_one_set_of_ids(tmp_path):
    native = written(
        tmp_path / "m.archimate", ARCHI % '<element xsi:type="archimate:Goal" name="G" id="2d33"/>'
    )
    element = '<element identifier="id-2d33" xsi:type="Goal"><name>G</name></element>'
    exchange = written(tmp_path / "m.xml", EXCHANGE % (element, ""))
    assert (
        list(load(ArchiMateGraph, native)[0].ids) == list(load(ArchiMateGraph, exchange)[0].ids) == ["2d33"]
    )


def test_97_layout_does_not_matter(tmp_path):
    element = '<element identifier="id-a" xsi:type="Goal"><name>G</name></element>'
    views = (
        '<views><diagrams><view identifier="v" xsi:type="Diagram"><name>V</name>'
        '<node identifier="n" elementRef="id-a" xsi:type="Element" x="1" y="2" w="3"/>'
        "</view></diagrams></views>"
    )
    index, report = load(ArchiMateGraph, written(tmp_path / "m.xml", EXCHANGE % (element, views)))
    assert index.node_count == 1
    assert report.counts()["skipped"] == 0


def test_98_a_relation_may_end_at_a_relation(tmp_path):
    body = "".join(
        f'<element xsi:type="archimate:{kind}" id="{id_}" {more}/>'
        for kind, id_, more in (
            ("BusinessActor", "a", 'name="A"'),
            ("BusinessRole", "b", 'name="B"'),
            ("Goal", "c", 'name="C"'),
            ("AssignmentRelationship", "r1", 'source="a" target="b"'),
            ("AssociationRelationship", "r2", 'source="r1" target="c"'),
        )
    )
    index, _ = load(ArchiMateGraph, written(tmp_path / "m.archimate", ARCHI % body))
    assert node(index, "r1").node_type == "Relationship"
    assert {"a -Assignment-> b", "r1 -Association-> c"} <= set(edges(index))
    assert index.dangling_edges == 0


def test_100_a_named_relation_keeps_kind_name_and_properties(tmp_path):
    body = (
        '<element xsi:type="archimate:Goal" id="a" name="A"/>'
        '<element xsi:type="archimate:Goal" id="b" name="B"/>'
        '<element xsi:type="archimate:FlowRelationship" id="f" name="sends report" source="a" target="b">'
        '<property key="cost" value="3"/></element>'
    )
    edge = only_edge(load(ArchiMateGraph, written(tmp_path / "m.archimate", ARCHI % body))[0])
    assert edge.edge_type == "Flow"
    assert "sends report" in edge.properties.values()
    assert edge.properties["cost"] == "3"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_101_a_byte_order_mark_is_no_part_of_a_column(tmp_path, encoding):
    path = written(tmp_path / "e.csv", "source;target\r\nä1;b2\r\n".encode(encoding))
    assert edges(load(CsvGraph, path)[0]) == ["ä1 -related_to-> b2"]


def test_103_blanks_around_ids_join_nothing_apart(tmp_path):
    written(tmp_path / "nodes.csv", "id,v\n  a,1\nb,2\n")
    written(tmp_path / "edges.csv", "source,target\na,b\n")
    index, report = load(CsvGraph, tmp_path)
    assert (list(index.ids), index.dangling_edges) == (["a", "b"], 0)
    assert report.counts()["repaired"] == 1


def test_104_a_decimal_comma_is_a_number_when_that_is_said(tmp_path):
    path = written(tmp_path / "e.csv", "source;target;weight\na;b;0,75\n")
    assert only_edge(load(CsvGraph, path, decimal=",")[0]).weight == 0.75
    index, report = load(CsvGraph, path)
    assert only_edge(index).properties["weight"] == "0,75"
    (found,) = report.of("repaired")
    assert found.places == (f"{path}:2",)


def test_106_parallel_predicates_are_parallel_edges(tmp_path):
    text = (
        "@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':a :owns :b . :a :uses :b . :owns rdfs:label "possesses" .\n'
    )
    path = written(tmp_path / "g.ttl", text)
    index, _ = load(RdfGraph, path)
    assert sorted(edge.edge_type for edge in index.all_edges()) == ["owns", "uses"]
    assert "urn:x:owns" not in index.ids
    labelled, _ = load(RdfGraph, path, predicate_labels=True)
    assert sorted(edge.edge_type for edge in labelled.all_edges()) == ["possesses", "uses"]


def test_107_the_platforms_encoding_does_not_matter(tmp_path):
    written(tmp_path / "g.csv", "id,label\na,— é 图 🚀\n")
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "graphrag_pipeline", "graph", "convert", "g.csv", "o.json"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(root),
            "PYTHONUTF8": "0",
            "LC_ALL": "C",
            "PYTHONCOERCECLOCALE": "0",
        },
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "o.json").read_text("utf-8"))["nodes"][0]["label"] == "— é 图 🚀"


def test_145_blank_types_and_isolated_entities_are_all_there(tmp_path):
    path = parquet(
        tmp_path / "o",
        entities={"id": ["1", "2", "3"], "title": ["A", "B", "C"], "type": ["X", "", None]},
        relationships={"source": ["A"], "target": ["B"], "weight": [math.nan]},
    )
    index, report = load(MsGraphRagGraph, path)
    assert [entry.node_type for entry in index.all_nodes()] == ["X", "", ""]
    assert only_edge(index).weight == 1.0
    assert said(report) == ["blank ×2: a node's type is empty"]
