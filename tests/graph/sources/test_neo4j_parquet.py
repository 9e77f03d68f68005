from __future__ import annotations

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.neo4j.source import Neo4jGraph
from tests.graph.sources.files import edges, load, node, only_edge, written

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def table(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


PEOPLE = [
    {
        "__id__": "p:1",
        "labels": ["Person", "__Entity__"],
        "name": "Ann",
        "age": 2**53 + 1,
        "embedding": [0.5],
    },
    {"__id__": "p:2", "labels": ["Person", "__Entity__"], "name": "Bo", "age": None, "embedding": None},
]


def knows(start, end):
    return [
        {
            "from": start,
            "to": end,
            "from_label": "Person",
            "to_label": "Person",
            "type": "KNOWS",
            "since": 1999,
        }
    ]


@pytest.fixture
def folder(tmp_path):
    table(tmp_path / "kg/nodes/Person.parquet", PEOPLE)
    table(tmp_path / "kg/relationships/Person_KNOWS_Person.parquet", knows("p:1", "p:2"))
    return tmp_path / "kg"


def test_a_folder_of_tables_is_a_graph(folder):
    index, report = load(Neo4jGraph, folder)
    ann, bo = node(index, "p:1"), node(index, "p:2")
    assert (ann.label, ann.node_type) == ("Ann", "Person")
    assert ann.properties == {"labels": ["Person", "__Entity__"], "age": 2**53 + 1}
    assert bo.properties == {"labels": ["Person", "__Entity__"]}
    assert (edges(index), only_edge(index).properties) == (["p:1 -KNOWS-> p:2"], {"since": 1999})
    assert report.findings == ()
    assert report.notes == (
        "1 tables of nodes, 1 of relationships",
        "embeddings were left out: embedding ×1; graph.embeddings=keep keeps them",
    )


def test_every_table_is_part_of_the_fingerprint(folder):
    def fingerprint():
        return Neo4jGraph(Neo4jGraph.Params(path=str(folder))).fingerprint()

    first = fingerprint()
    table(folder / "relationships/Person_KNOWS_Person.parquet", knows("p:2", "p:1"))
    assert fingerprint() != first


def test_ends_may_be_a_property_when_that_is_said(folder):
    table(folder / "relationships/Person_KNOWS_Person.parquet", knows("Ann", "Bo"))
    with pytest.raises(GraphSourceError, match="No value of the columns from and to names a node") as refused:
        load(Neo4jGraph, folder)
    assert "graph.end_property=NAME" in refused.value.hint
    index, _ = load(Neo4jGraph, folder, end_property="name")
    assert edges(index) == ["p:1 -KNOWS-> p:2"]


def test_a_table_of_nodes_is_a_graph_of_its_own(folder):
    index, _ = load(Neo4jGraph, folder / "nodes/Person.parquet")
    assert (index.node_count, index.edge_count) == (2, 0)


def test_other_tables_and_folders_are_refused(tmp_path, folder):
    table(folder / "other.parquet", [{"a": 1}])
    with pytest.raises(GraphSourceError, match="neither the column __id__ nor the columns from and to"):
        load(Neo4jGraph, folder)
    written(folder / "other.parquet", b"PAR1 and no more")
    with pytest.raises(GraphSourceError) as refused:
        load(Neo4jGraph, folder)
    assert str(folder / "other.parquet") in refused.value.where
    written(tmp_path / "empty/readme.md", "x")
    with pytest.raises(GraphSourceError, match="holds no Parquet tables") as refused:
        load(Neo4jGraph, tmp_path / "empty")
    assert "readme.md" in refused.value.hint
