from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise, takewhile

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.sources.tables import parquet_file
from graphrag_pipeline.graph.sources.tables.parquet_footer import read_footer
from graphrag_pipeline.graph.sources.tables.parquet_pages import held_in
from graphrag_pipeline.graph.sources.tables.parquet_source import ParquetGraph
from tests.graph.sources.files import account, edges, load, node, only_edge, said, written

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NODES = {"id": ["p1", "p2"], "type": ["tool", "tool"], "label": ["Pump", "Valve"], "owner": ["Ada", None]}
EDGES = {"source": ["p1"], "target": ["p2"], "type": ["feeds"], "weight": [0.5]}


def table(path, columns, **options):
    pq.write_table(pa.table(columns), path, **options)
    return path


def pair(folder, nodes=NODES, rels=EDGES):
    table(folder / "nodes.parquet", nodes)
    table(folder / "edges.parquet", rels)
    return folder


def refusal(path, **params):
    with pytest.raises(GraphSourceError) as refused:
        load(ParquetGraph, path, **params)
    return refused.value


def test_a_folder_of_two_tables_is_a_graph(tmp_path):
    index, report = load(ParquetGraph, pair(tmp_path))
    assert index.all_nodes() == [
        KnowledgeNode("p1", "tool", "Pump", "parquet", properties={"owner": "Ada"}),
        KnowledgeNode("p2", "tool", "Valve", "parquet"),
    ]
    assert index.all_edges() == [KnowledgeEdge("p1", "p2", "feeds", "parquet", 0.5)]
    assert account(report).read == {"nodes.parquet": 2, "edges.parquet": 1}
    assert (report.findings, report.notes) == ((), ())


def test_one_file_of_edges_makes_its_ends_nodes(tmp_path):
    index, report = load(ParquetGraph, table(tmp_path / "e.pq", {"src": ["a"], "dst": ["b"]}))
    assert (list(index.ids), edges(index)) == (["a", "b"], ["a -related_to-> b"])
    assert list(account(report).made.values()) == [2]


def test_columns_can_be_named(tmp_path):
    folder = pair(tmp_path, {"nr": [7], "caption": ["Seven"]}, {"a": [7], "b": [7], "how": ["is"]})
    index, _ = load(
        ParquetGraph,
        folder,
        node_columns={"id": "nr", "label": "caption"},
        edge_columns={"source": "a", "target": "b", "type": "how"},
    )
    assert (node(index, "7").label, edges(index)) == ("Seven", ["7 -is-> 7"])
    error = refusal(folder, node_columns={"id": "nrs"})
    assert error.hint == "Did you mean 'nr'? The columns are: nr, caption."


def test_numbers_are_exact_ids(tmp_path):
    big = [9007199254740993, 9007199254740992, 2**63 - 1, None]
    rels = {"source": pa.array([9007199254740993], pa.uint64()), "target": ["9007199254740992"]}
    index, report = load(ParquetGraph, pair(tmp_path, {"id": big}, rels))
    assert list(index.ids) == ["9007199254740993", "9007199254740992", "9223372036854775807"]
    assert index.dangling_edges == 0
    assert said(report) == ["skipped ×1: a node without an id"]
    assert report.findings[0].places == (f"{tmp_path}/nodes.parquet: row 4",)


def test_ids_that_pandas_made_floats_are_whole_again(tmp_path):
    folder = pair(tmp_path, {"id": [1.0, 2.0, float("nan")]}, {"source": [1], "target": [2.0]})
    index, report = load(ParquetGraph, folder)
    assert (list(index.ids), edges(index), index.dangling_edges) == (["1", "2"], ["1 -related_to-> 2"], 0)
    assert report.counts()["repaired"] == 3
    assert report.counts()["skipped"] == 1


@pytest.mark.parametrize("ids", [[1.5], [2.0**60], [True], [["a"]], [datetime(2024, 1, 1)], [b"a"]])
def test_what_cannot_be_an_id_is_refused(tmp_path, ids):
    error = refusal(pair(tmp_path, {"id": ids, "label": ["A"]}))
    assert "neither text nor a whole number" in error.what
    assert error.where == f"{tmp_path}/nodes.parquet: row 1"


def test_spaces_around_ids_are_part_of_them(tmp_path):
    index, report = load(ParquetGraph, pair(tmp_path, {"id": [" a", "a"]}, EDGES))
    assert (list(index.ids), report.findings) == ([" a", "a"], ())


def test_every_type_of_column_becomes_json_data(tmp_path):
    columns = {
        "id": ["a"],
        "whole": pa.array([7], pa.int8()),
        "half": pa.array([0.5], pa.float16()),
        "truth": [True],
        "list": [[1, None, 2]],
        "struct": [{"x": 1, "y": ["z"]}],
        "map": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
        "day": [date(2024, 2, 29)],
        "time": [datetime(2024, 2, 29, 12, 30)],
        "nano": pa.array([1], pa.timestamp("ns")),
        "far": pa.array([2**62], pa.timestamp("ms")),
        "nanos": pa.array([[1]], pa.list_(pa.timestamp("ns"))),
        "decimal": [Decimal("1.50")],
        "bytes": [b"ab"],
        "name": pa.array(["x"]).dictionary_encode(),
        "nothing": pa.array([None], pa.null()),
        "nan": [float("nan")],
    }
    index, report = load(ParquetGraph, pair(tmp_path, columns, EDGES))
    assert node(index, "a").label == "x"
    assert node(index, "a").properties == {
        "whole": 7,
        "half": 0.5,
        "truth": True,
        "list": [1, None, 2],
        "struct": {"x": 1, "y": ["z"]},
        "map": {"k": 1},
        "day": "2024-02-29",
        "time": "2024-02-29T12:30:00",
        "nano": "1970-01-01T00:00:00.000000001",
        "far": str(2**62),
        "nanos": ["1970-01-01T00:00:00.000000001"],
        "decimal": "1.50",
        "bytes": "ab",
    }
    assert said(report) == ["repaired ×1: bytes were read as UTF-8 text"]


def test_types_that_are_lists_are_joined_and_empty_ones_remarked(tmp_path):
    nodes = {"id": ["a", "b", "c"], "type": [["x", "y"], ["z"], None], "label": ["A", "", None]}
    index, report = load(ParquetGraph, pair(tmp_path, nodes, EDGES))
    assert [(each.node_type, each.label) for each in index.all_nodes()] == [
        ("x;y", "A"),
        ("z", "b"),
        ("", "c"),
    ]
    assert report.counts()["blank"] == 3


@pytest.mark.parametrize(
    ("weights", "read", "kept"),
    [
        ([2], ["2"], {}),
        ([2.0], ["2.0"], {}),
        (["2"], ["2"], {}),
        (["2.50"], ["2.5"], {}),
        ([None], ["1.0"], {}),
        ([float("nan")], ["1.0"], {}),
        (["heavy"], ["1.0"], {"weight": "heavy"}),
        ([[1]], ["1.0"], {"weight": [1]}),
    ],
)
def test_weights_are_numbers_or_texts_of_numbers(tmp_path, weights, read, kept):
    index, report = load(ParquetGraph, pair(tmp_path, NODES, {**EDGES, "weight": weights}))
    assert [repr(edge.weight) for edge in index.all_edges()] == read
    assert only_edge(index).properties == kept
    assert report.counts()["repaired"] == len(kept)


def test_values_are_clean_in_every_batch_and_places_stay_right(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "BATCH", 2)
    nodes = {
        "id": list("abcde"),
        "label": ["A", "B", "C\x00", "D", ""],
        "note": [None, "x\x01", "y", "z", None],
    }
    index, report = load(ParquetGraph, pair(tmp_path, nodes, EDGES))
    assert [(each.label, each.properties.get("note")) for each in index.all_nodes()] == [
        ("A", None),
        ("B", "x\ufffd"),
        ("C\ufffd", "y"),
        ("D", "z"),
        ("e", None),
    ]
    at = f"{tmp_path}/nodes.parquet: row"
    assert [(finding.kind, finding.places) for finding in report.findings] == [
        ("repaired", (f"{at} 2", f"{at} 3")),
        ("blank", (f"{at} 5",)),
    ]


def test_a_batch_too_large_to_hold_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "HELD", 1 << 10)
    texts = [f"{at} " * 200 for at in range(20)]
    folder = pair(tmp_path, {"id": [str(at) for at in range(20)], "text": texts}, EDGES)
    index, _ = load(ParquetGraph, folder)
    assert [each.properties["text"] for each in index.all_nodes()] == texts
    monkeypatch.setattr(parquet_file, "HELD", 100)
    assert "A row is longer than" in refusal(folder).what


def test_a_dictionary_that_most_rows_share_is_read_once_and_right(tmp_path):
    kinds = [("x", "y", None)[at % 3] for at in range(300)]
    columns = {"id": [str(at) for at in range(300)], "kind": pa.array(kinds).dictionary_encode()}
    index, _ = load(ParquetGraph, pair(tmp_path, {**columns, "extra": kinds}, EDGES))
    assert [each.node_type for each in index.all_nodes()] == [kind or "" for kind in kinds]
    assert [each.properties.get("extra") for each in index.all_nodes()] == kinds


def test_lists_of_texts_are_read_over_several_groups_of_rows(tmp_path):
    # Past its limit a dictionary is given up in the middle of a column.
    lists = [[f"tag {at} {number}" for number in range(at % 4)] for at in range(3000)]
    columns = {"id": [str(at) for at in range(3000)], "tags": lists}
    table(tmp_path / "nodes.parquet", columns, row_group_size=1000, dictionary_pagesize_limit=4000)
    index, _ = load(ParquetGraph, tmp_path / "nodes.parquet")
    assert [each.properties["tags"] for each in index.all_nodes()] == lists


def test_our_own_export_is_read_back_exactly(tmp_path):
    nodes = [
        KnowledgeNode(" a ", "t", " A ", "n", "urn:a", {"list": [1, 1.0, None], "none": None, "text": "007"}),
        KnowledgeNode("b", "", "", "", ""),
    ]
    rels = [
        KnowledgeEdge(" a ", "b", "", "n", 1, {"weight": "odd"}),
        KnowledgeEdge("b", "ghost", "t", "", 1.0),
        KnowledgeEdge("b", "b", "t", "n", 10**20, {"n": 2**60}),
    ]
    for name, records in (("nodes", nodes), ("edges", rels)):
        rows = [record.to_dict() for record in records]
        for row in rows:
            row["properties"] = json.dumps(row["properties"]) if row["properties"] else ""
            row.update({"weight": json.dumps(row["weight"])} if "weight" in row else {})
        table(tmp_path / f"{name}.parquet", {key: [row[key] for row in rows] for key in rows[0]})
    index, report = load(ParquetGraph, tmp_path)
    assert index.digest == GraphIndex.from_records(nodes, rels).digest
    assert [repr(edge.weight) for edge in index.all_edges()] == ["1", "1.0", str(10**20)]
    assert report.counts()["blank"] == 3


def test_tables_without_rows_or_columns_are_no_records(tmp_path):
    index, report = load(ParquetGraph, pair(tmp_path, NODES, {}))
    assert (index.node_count, index.edge_count) == (2, 0)
    assert report.notes == ("edges.parquet: the table has no columns",)
    index, _ = load(ParquetGraph, pair(tmp_path, {"id": pa.array([], pa.string())}, EDGES))
    assert (index.node_count, index.dangling_edges) == (0, 1)


def test_several_parts_are_one_table(tmp_path):
    (tmp_path / "nodes.parquet").mkdir()
    for at, name in enumerate("ab"):
        table(tmp_path / "nodes.parquet" / f"part-{at}.snappy.parquet", {"id": [name]})
    written(tmp_path / "nodes.parquet" / "_SUCCESS", "")
    table(tmp_path / "edges.parquet", {"source": ["a"], "target": ["b"]})
    index, report = load(ParquetGraph, tmp_path)
    assert (list(index.ids), index.dangling_edges) == (["a", "b"], 0)
    assert list(account(report).read.values()) == [1, 1, 1]


@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (b"", "no Parquet file", "The file is empty."),
        (b"PARE....PARE", "no Parquet file", "encrypted"),
        (b"PK\x03\x04....", "no Parquet file", "ZIP archive"),
        (b"id,label\n", "no Parquet file", ""),
        (b"PAR1PAR1", "has no end", "cut off or damaged"),
        (b"PAR1\xff\xff\xff\x01\x00\x00\x00PAR1", "end of the Parquet file cannot be read", "damaged"),
    ],
)
def test_what_is_no_parquet_file_is_refused(tmp_path, content, what, hint):
    path = written(tmp_path / "e.parquet", content)
    error = refusal(path)
    assert what in error.what
    assert hint in error.hint
    assert error.where == str(path)


def test_a_truncated_or_damaged_file_is_refused(tmp_path):
    path = table(tmp_path / "e.parquet", {"source": ["a"] * 99, "target": [str(at) for at in range(99)]})
    content = path.read_bytes()
    assert "has no end" in refusal(written(path, content[: len(content) // 2])).what
    error = refusal(written(path, content[:8] + b"\xff" * 24 + content[32:]))
    assert "cannot be read" in error.what
    assert error.where == str(path)


def test_text_that_is_no_utf8_and_repeated_columns_are_refused(tmp_path):
    broken = pa.array([b"\xff\xfe"]).view(pa.string())
    assert "cannot be read" in refusal(pair(tmp_path, {"id": broken})).what
    twice = pa.table([pa.array(["a"])] * 2, names=["id", "id"])
    pq.write_table(twice, tmp_path / "nodes.parquet")
    assert "the column 'id' more than once" in refusal(tmp_path).what


def test_files_that_unpack_to_far_too_much_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "LARGE", 1 << 20)
    long = table(tmp_path / "long.parquet", {"id": ["a"], "text": ["x" * (8 << 20)]}, compression="zstd")
    assert "far more than a file of its size" in refusal(long).what
    one = pa.DictionaryArray.from_arrays(pa.array([0] * 5000, pa.int32()), pa.array(["y" * 10_000]))
    many = table(tmp_path / "many.parquet", {"id": [str(at) for at in range(5000)], "text": one})
    assert "far more than a file of its size" in refusal(many).what
    monkeypatch.setattr(parquet_file, "MANY", 1 << 10)
    rows = table(tmp_path / "rows.parquet", {"id": ["a"] * 500_000})
    assert "far more than a file of its size" in refusal(rows).what


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", None])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_every_encoding_of_texts_is_read(tmp_path, encoding, version, compression):
    texts = [None if at % 7 == 3 else f"http://x.org/{'a' * (at % 5) * 40}{at}" for at in range(700)]
    lists = [[text, "x"][: at % 3] for at, text in enumerate(texts)]
    columns = {"id": [str(at) for at in range(700)], "text": texts, "tags": lists}
    encodings = {"text": encoding, "tags.list.element": encoding, "id": "PLAIN"}
    table(
        tmp_path / "nodes.parquet",
        columns,
        use_dictionary=encoding is None,
        column_encoding=encodings if encoding else None,
        data_page_version=version,
        compression=compression,
        data_page_size=500,
        write_batch_size=100,
        row_group_size=450,
    )
    index, _ = load(ParquetGraph, tmp_path / "nodes.parquet")
    assert [each.properties.get("text") for each in index.all_nodes()] == texts
    assert [each.properties.get("tags") for each in index.all_nodes()] == lists


def test_what_texts_repeat_of_each_other_is_found_out_exactly(tmp_path):
    texts = [f"{'a' * (at * 37 % 300)}{at}" for at in range(1000)]
    path = tmp_path / "e.parquet"
    table(path, {"t": texts}, use_dictionary=False, column_encoding={"t": "DELTA_BYTE_ARRAY"})
    (held,) = held_in(path, read_footer(path), 1 << 30)
    shared = [
        sum(1 for _ in takewhile(lambda two: two[0] == two[1], zip(*pair, strict=False)))
        for pair in pairwise(texts)
    ]
    assert held.longest == max(shared)
    assert 0 < held.size - sum(map(len, texts)) < 4000
    with pytest.raises(GraphSourceError, match="far more than a file of its size"):
        held_in(path, read_footer(path), sum(map(len, texts)) - 1)
