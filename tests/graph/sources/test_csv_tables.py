from __future__ import annotations

import csv
import json
from collections import Counter

import pytest

from graphrag_pipeline import GraphIndex, GraphSourceError, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.sources.tables import csv_source as csv_tables
from graphrag_pipeline.graph.sources.tables import csv_text
from graphrag_pipeline.graph.sources.tables.csv_source import CsvGraph
from tests.graph.sources.files import DATA, account, edges, load, node, only_edge, said, shared, written

NODES = "id,type,label,owner\np1,tool,Pump,Ada\np2,tool,Valve,\n"
EDGES = "source,target,type,weight\np1,p2,feeds,0.5\n"


def pair(folder, nodes=NODES, edges_=EDGES):
    written(folder / "nodes.csv", nodes)
    written(folder / "edges.csv", edges_)
    return folder


def refusal(path, **params):
    with pytest.raises(GraphSourceError) as refused:
        load(CsvGraph, path, **params)
    return refused.value


def test_a_folder_of_two_tables_is_a_graph(tmp_path):
    index, report = load(CsvGraph, pair(tmp_path))
    assert index.all_nodes() == [
        KnowledgeNode("p1", "tool", "Pump", "csv", properties={"owner": "Ada"}),
        KnowledgeNode("p2", "tool", "Valve", "csv"),
    ]
    assert index.all_edges() == [KnowledgeEdge("p1", "p2", "feeds", "csv", 0.5)]
    assert account(report).read == {"nodes.csv": 2, "edges.csv": 1}
    assert (report.findings, report.notes) == ((), ())


def test_one_file_with_sources_and_targets_is_its_edges_and_their_ends(tmp_path):
    index, report = load(CsvGraph, written(tmp_path / "e.csv", "from,to\nb,a\na,c\n"))
    assert [(each.node_id, each.node_type, each.label) for each in index.all_nodes()] == [
        ("b", "node", "b"),
        ("a", "node", "a"),
        ("c", "node", "c"),
    ]
    assert edges(index) == ["b -related_to-> a", "a -related_to-> c"]
    assert account(report).made == {"nodes that only edges name, as there is no node table": 3}


def test_an_edge_without_an_end_makes_no_node_of_the_other(tmp_path):
    index, report = load(CsvGraph, written(tmp_path / "e.csv", "source,target\na,b\nc,\n"))
    assert (list(index.ids), index.edge_count) == (["a", "b"], 1)
    assert said(report) == ["skipped ×1: an edge without a source or a target"]


def test_one_file_without_them_is_nodes(tmp_path):
    index, report = load(CsvGraph, written(tmp_path / "things.csv", "Key,Title,Kind\n1,One,digit\n"))
    assert index.all_nodes() == [KnowledgeNode("1", "digit", "One", "csv")]
    assert account(report).read == {"things.csv": 1}


@pytest.mark.parametrize(
    ("nodes", "rels"),
    [
        ("ID,Name,Category\na,A,t\n", "srcId,dstId,Relation\na,b,r\n"),
        ("node_id,title,node_type\na,A,t\n", "source_id,target_id,edge_type\na,b,r\n"),
        (":ID,name,:LABEL\na,A,t\n", ":START_ID,:END_ID,:TYPE\na,b,r\n"),
        ("thing:ID(Thing),name,:LABEL\na,A,t\n", ":START_ID(Thing),:END_ID(Thing),:TYPE\na,b,r\n"),
        (" key , label , kind \na,A,t\n", "Subject,Object,Predicate\na,b,r\n"),
    ],
)
def test_columns_are_found_by_their_usual_names(tmp_path, nodes, rels):
    index, _ = load(CsvGraph, pair(tmp_path, nodes, rels))
    assert index.all_nodes() == [KnowledgeNode("a", "t", "A", "csv")]
    assert edges(index) == ["a -r-> b"]


def test_columns_can_be_named_and_every_other_one_is_a_property(tmp_path):
    folder = pair(
        tmp_path,
        "nr,caption,sort,home,link,label\n7,Seven,digit,maths,urn:7,old\n",
        "a,b,how,strength,where,note\n7,8,precedes,2,maths,fine\n",
    )
    index, _ = load(
        CsvGraph,
        folder,
        node_columns={"id": "nr", "label": "caption", "type": "sort", "namespace": "home", "uri": "link"},
        edge_columns={
            "source": "a",
            "target": "b",
            "type": "how",
            "weight": "strength",
            "namespace": "where",
        },
    )
    assert index.all_nodes() == [KnowledgeNode("7", "digit", "Seven", "maths", "urn:7", {"label": "old"})]
    assert index.all_edges() == [KnowledgeEdge("7", "8", "precedes", "maths", 2, {"note": "fine"})]


def test_a_named_column_that_is_not_there_is_refused_with_the_nearest(tmp_path):
    error = refusal(pair(tmp_path), node_columns={"label": "labels"})
    assert "no column 'labels', which graph.node_columns.label names" in error.what
    assert error.hint == "Did you mean 'label'? The columns are: id, type, label, owner."
    assert error.where == str(tmp_path / "nodes.csv")


def test_a_table_without_ids_lists_its_columns(tmp_path):
    error = refusal(pair(tmp_path, "nummer,name\n1,x\n"))
    assert "No column of the table is a node's id" in error.what
    assert "The columns are: nummer, name." in error.hint
    assert "graph.node_columns.id=COLUMN" in error.hint


def test_several_tables_give_their_names_as_types(tmp_path):
    for name in ("Company", "Product"):
        written(tmp_path / f"{name}.csv", f"id\n{name[0]}\n")
    written(tmp_path / "sells.csv", "source,target\nC,P\n")
    index, report = load(CsvGraph, tmp_path, nodes=["Company.csv", "Product.csv"], edges="sells.csv")
    assert [each.node_type for each in index.all_nodes()] == ["Company", "Product"]
    assert edges(index) == ["C -related_to-> P"]
    assert list(account(report).read) == ["Company.csv", "Product.csv", "sells.csv"]


def test_a_named_column_need_not_be_in_each_of_several_tables(tmp_path):
    written(tmp_path / "Company.csv", "id,full\nC,Colliers\n")
    written(tmp_path / "Product.csv", "id,title\nP,Pump\n")
    tables = {"nodes": ["Company.csv", "Product.csv"], "edges": None}
    index, _ = load(CsvGraph, tmp_path, **tables, node_columns={"label": "full"})
    assert [each.label for each in index.all_nodes()] == ["Colliers", "Pump"]
    assert "no column 'fool'" in refusal(tmp_path, **tables, node_columns={"label": "fool"}).what


def test_a_folder_or_a_pattern_is_one_table_in_parts(tmp_path):
    written(tmp_path / "nodes.csv" / "part-0.csv", "id\na\n")
    written(tmp_path / "nodes.csv" / "part-1.csv", "id\nb\n")
    for name in ("_SUCCESS", "_temporary.csv", ".part-0.csv"):
        written(tmp_path / "nodes.csv" / name, "")
    written(tmp_path / "e-1.csv", "source,target\na,b\n")
    written(tmp_path / "e-2.csv", "source,target\nb,a\n")
    index, _ = load(CsvGraph, tmp_path, edges="e-*.csv")
    assert [(each.node_id, each.node_type) for each in index.all_nodes()] == [("a", "node"), ("b", "node")]
    assert edges(index) == ["a -related_to-> b", "b -related_to-> a"]


def test_null_means_that_there_is_no_such_table(tmp_path):
    index, report = load(CsvGraph, pair(tmp_path), edges=None)
    assert (index.node_count, index.edge_count) == (2, 0)
    assert report.notes == ("there is no table of edges",)
    index, _ = load(CsvGraph, tmp_path, nodes=None)
    assert [each.node_type for each in index.all_nodes()] == ["node", "node"]


def test_what_the_folder_lacks_is_refused(tmp_path):
    written(tmp_path / "people.csv", "id\n1\n")
    assert "It has: people.csv." in refusal(tmp_path).hint
    assert "no table 'peple.csv'" in refusal(tmp_path, nodes="peple.csv").what
    pair(tmp_path)
    written(tmp_path / "nodes.tsv", "id\n1\n")
    assert "Several files fit nodes.*: nodes.csv, nodes.tsv." in refusal(tmp_path).what
    assert "cannot be read" in refusal(tmp_path / "nowhere").what


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("source;target\r\nä1;b2\r\n".encode("utf-8-sig"), "UTF-8 with a byte order mark"),
        ("source\ttarget\nä1\tb2\n".encode("utf-16"), "UTF-16"),
        ("source|target\nä1|b2\n".encode("cp1252"), "no UTF-8, so it was read as Windows-1252"),
        (b"sep=;\r\nsource;target\r\n\xc3\xa41;b2\r\n", "separated by semicolons"),
        (b"source,target\r\xc3\xa41,b2", ""),
    ],
)
def test_encoding_delimiter_and_line_ends_are_found_out(tmp_path, content, note):
    index, report = load(CsvGraph, written(tmp_path / "e.csv", content))
    assert edges(index) == ["ä1 -related_to-> b2"]
    assert note in " ".join([*report.notes, *said(report)])
    assert len(report.findings) == ("Windows-1252" in note)  # a guess, and told


def test_a_delimiter_is_what_most_rows_agree_with(tmp_path):
    folder = pair(tmp_path, "id;full, name\n1;One\n2;Two\n")
    index, _ = load(CsvGraph, folder, node_columns={"label": "full, name"})
    assert [each.label for each in index.all_nodes()] == ["One", "Two"]


def test_encoding_and_delimiter_can_be_named(tmp_path):
    path = written(tmp_path / "e.csv", "source:target\nłódź:b\n".encode("cp1250"))
    index, _ = load(CsvGraph, path, encoding="cp1250", delimiter=":")
    assert edges(index) == ["łódź -related_to-> b"]
    assert "There is no encoding 'klingon'" in refusal(path, encoding="klingon").what
    assert "not in utf-16" in refusal(path, encoding="utf-16").what


def test_a_broken_byte_among_good_ones_does_not_change_the_encoding(tmp_path):
    path = written(tmp_path / "e.csv", "source,target\nähre,öl\nb".encode() + b"\xfe,c\n")
    index, report = load(CsvGraph, path)
    assert edges(index) == ["ähre -related_to-> öl", "b\ufffd -related_to-> c"]
    assert report.counts()["repaired"] == 1
    assert "UTF-8, but for 1 bytes" in report.notes[0]


def test_text_of_no_known_encoding_is_refused(tmp_path):
    error = refusal(written(tmp_path / "e.csv", b"source,target\n\x81\xff,b\n"))
    assert "neither UTF-8 nor Windows-1252" in error.what


def test_quoted_cells_hold_delimiters_quotes_and_line_ends(tmp_path):
    folder = pair(tmp_path, 'id,label,note\na,"A, or ""a""","two\nlines"\nb,5" pipe,\n\nc\n')
    index, report = load(CsvGraph, folder)
    assert (node(index, "a").label, node(index, "a").properties) == ('A, or "a"', {"note": "two\nlines"})
    assert node(index, "b").label == '5" pipe'
    assert report.findings[0].places == (f"{tmp_path}/nodes.csv:6",)


def test_quotes_can_be_escaped_or_mean_nothing(tmp_path):
    index, _ = load(CsvGraph, pair(tmp_path, 'id,label\na,"say \\"a\\""\n'), escape="\\")
    assert node(index, "a").label == 'say "a"'
    index, _ = load(CsvGraph, pair(tmp_path, "id,label\na,|A, or a|\n"), quote="|")
    assert node(index, "a").label == "A, or a"
    index, _ = load(CsvGraph, pair(tmp_path, 'id,label\na,"A\n'), quote=None)
    assert node(index, "a").label == '"A'


def test_a_quote_that_is_never_closed_is_refused_where_it_opens(tmp_path):
    error = refusal(pair(tmp_path, 'id,label\na,A\nb,"B\nc,C\n'))
    assert error.what == "A quote is opened here and never closed."
    assert error.where == f"{tmp_path}/nodes.csv:3"


def test_ragged_rows_are_told_with_their_lines(tmp_path):
    folder = pair(tmp_path, 'id,label,x\na,A\nb,B,1,2\nc,C,1,\nd,"D"D,1\n')
    index, report = load(CsvGraph, folder)
    assert [(each.node_id, dict(each.properties)) for each in index.all_nodes()] == [
        ("a", {}),
        ("b", {"x": 1}),
        ("c", {"x": 1}),
    ]
    at = f"{tmp_path}/nodes.csv"
    assert [(finding.kind, finding.places) for finding in report.findings] == [
        ("repaired", (f"{at}:2",)),
        ("repaired", (f"{at}:3",)),
        ("skipped", (f"{at}:5",)),
    ]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "The file is empty"),
        (b"\n \n", "The file is empty"),
        (b",,\na,b,c\n", "no header"),
        (b"id,label,id\n", "column 'id' more than once"),
        (b"PK\x03\x04....", "no CSV text"),
        (b"<!doctype html><html>", "no CSV text"),
        ("id,label\n".encode("utf-16-le"), "no CSV text"),
        (b"\0\0\0\0id\n", "no CSV text"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, content, what):
    path = written(tmp_path / "nodes.csv", content)
    error = refusal(path)
    assert what in error.what
    assert str(path) in error.where


def test_headers_alone_are_an_empty_graph(tmp_path):
    index, report = load(CsvGraph, pair(tmp_path, "id,label\n", "source,target\n"))
    assert (index.node_count, index.edge_count, report.findings) == (0, 0, ())


def test_a_column_without_a_name_is_left_out(tmp_path):
    index, report = load(CsvGraph, pair(tmp_path, ",id,\n0,a,\n1,b,\n"))
    assert [dict(each.properties) for each in index.all_nodes()] == [{}, {}]
    assert report.notes == ("nodes.csv: columns without a name are left out",)


def test_ids_stay_text_and_exact(tmp_path):
    ids = ["NA", "null", "007", "7", "nan", "9007199254740993", "9007199254740992", "1e5", "True"]
    index, report = load(CsvGraph, pair(tmp_path, "id\n" + "\n".join(ids), "source,target\n007,NA\n"))
    assert list(index.ids) == ids
    assert (edges(index), index.dangling_edges, report.findings) == (["007 -related_to-> NA"], 0, ())


def test_spaces_around_ids_are_trimmed_on_both_sides(tmp_path):
    folder = pair(tmp_path, "id,label\n  a, A \nb,B\n", "source,target\na, b\n")
    index, report = load(CsvGraph, folder)
    assert (index.node_count, edges(index), index.dangling_edges) == (2, ["a -related_to-> b"], 0)
    assert node(index, "a").label == " A "
    assert said(report) == ["repaired ×2: spaces around an id were removed"]
    assert report.findings[0].places == (f"{tmp_path}/nodes.csv:2", f"{tmp_path}/edges.csv:2")


def test_rows_without_ids_are_skipped_and_empty_types_and_labels_remarked(tmp_path):
    folder = pair(tmp_path, "id,type,label\n ,t,L\na,,A\nb,t,\n", "source,target,type\na,,t\na,b,\n")
    index, report = load(CsvGraph, folder)
    assert [(each.node_id, each.node_type, each.label) for each in index.all_nodes()] == [
        ("a", "", "A"),
        ("b", "t", "b"),
    ]
    assert edges(index) == ["a --> b"]
    assert [(finding.kind, finding.count) for finding in report.findings] == [
        ("repaired", 1),
        ("skipped", 1),
        ("blank", 1),
        ("blank", 1),
        ("skipped", 1),
        ("blank", 1),
    ]


def test_a_property_written_like_a_value_is_one(tmp_path):
    cells = {"a": "7", "b": "-0.5", "c": "true", "d": "007", "e": "0.50", "f": "1e5", "g": "nan", "h": "-"}
    content = f"id,{','.join(cells)}\nx,{','.join(cells.values())}\n"
    index, _ = load(CsvGraph, pair(tmp_path, content))
    values = {"a": 7, "b": -0.5, "c": True, "d": "007", "e": "0.50", "f": "1e5", "g": "nan", "h": "-"}
    assert node(index, "x").properties == values
    index, _ = load(CsvGraph, tmp_path, typed=False)
    assert node(index, "x").properties == cells


def test_a_decimal_comma_is_a_number_when_that_is_said(tmp_path):
    path = written(tmp_path / "e.csv", "source;target;weight;x\na;b;0,75;1,5\na;b;3;0.5\na;b;1.000;2\n")
    index, report = load(CsvGraph, path)
    assert [edge.weight for edge in index.all_edges()] == [1.0, 3, 1.0]
    assert next(iter(index.all_edges())).properties == {"x": "1,5", "weight": "0,75"}
    assert report.findings[0].places == (f"{path}:2",)
    index, report = load(CsvGraph, path, decimal=",")
    assert [edge.weight for edge in index.all_edges()] == [0.75, 3, 1.0]
    assert [edge.properties["x"] for edge in index.all_edges()] == [1.5, "0.5", 2]
    assert report.findings[0].places == (f"{path}:4",)


def test_a_whole_weight_beyond_any_float_is_a_number(tmp_path):
    index, report = load(CsvGraph, written(tmp_path / "e.csv", f"source,target,weight\na,b,{10**400}\n"))
    assert [edge.weight for edge in index.all_edges()] == [10**400]
    assert not [entry for entry in report.findings if entry.kind == "repaired"]


def test_whole_weights_stay_whole_and_other_cells_are_kept(tmp_path):
    rows = "".join(f"a,b,{cell}\n" for cell in ("1", "1.0", "", "heavy", "NaN", "inf"))
    index, report = load(CsvGraph, written(tmp_path / "e.csv", f"source,target,weight\n{rows}"))
    assert [repr(edge.weight) for edge in index.all_edges()] == ["1", "1.0", "1.0", "1.0", "1.0", "1.0"]
    assert [edge.properties.get("weight") for edge in index.all_edges()][3:] == ["heavy", "NaN", "inf"]
    assert report.counts()["repaired"] == 3


def test_control_characters_are_replaced_wherever_they_are(tmp_path):
    folder = pair(tmp_path, "id,label,n\0te\na\x01,form\ffeed,\x02\n", "source,target,type\na\x01,a,r\0\n")
    index, report = load(CsvGraph, folder)
    assert index.all_nodes() == [
        KnowledgeNode("a\ufffd", "node", "form\ufffdfeed", "csv", "", {"n\ufffdte": "\ufffd"})
    ]
    assert only_edge(index).key == ("a\ufffd", "a", "r\ufffd")
    assert report.counts()["repaired"] == 6


def test_long_tables_are_read_in_batches_and_places_stay_right(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_tables, "BATCH", 2)
    folder = pair(tmp_path, "id,label\n" + "".join(f"n{at},{'' if at == 4 else at}\n" for at in range(7)))
    index, report = load(CsvGraph, folder)
    assert list(index.ids) == [f"n{at}" for at in range(7)]
    assert report.of("blank")[0].places == (f"{tmp_path}/nodes.csv:6",)


def test_a_row_that_is_too_long_is_refused_before_it_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_text, "LONGEST_ROW", 1000)
    error = refusal(pair(tmp_path, f"id,label\na,A\nb,{'x' * 2000}\n"))
    assert error.where == f"{tmp_path}/nodes.csv:3"
    lines = "x\n" * 2000
    error = refusal(pair(tmp_path, f'id,label\na,"{lines}"\n'))
    assert error.where == f"{tmp_path}/nodes.csv:2"


def exported(folder, nodes, rels):
    """Write the tables as our own export writes them."""
    for name, records in (("nodes", nodes), ("edges", rels)):
        rows = [record.to_dict() for record in records]
        for row in rows:
            row["properties"] = json.dumps(row["properties"], ensure_ascii=False) if row["properties"] else ""
            row.update({"weight": json.dumps(row["weight"])} if "weight" in row else {})
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def test_our_own_export_is_read_back_exactly(tmp_path):
    deep = {"list": [1, 1.0, "x", None, {"k": True}], "none": None, "text": "007", "line": "a\r\nb", "": "é"}
    nodes = [
        KnowledgeNode(" a ", "t", " A ", "n", "urn:a", deep),
        KnowledgeNode("b", "", "", "", "", {}),
        KnowledgeNode('c,"', "t", "x\ny", "m"),
    ]
    rels = [
        KnowledgeEdge(" a ", "b", "", "n", 1, {"weight": "odd"}),
        KnowledgeEdge("b", "ghost", "t", "", 1.0),
        KnowledgeEdge('c,"', "b", "t", "n", 10**20, {"n": 2**60}),
    ]
    exported(tmp_path, nodes, rels)
    index, report = load(CsvGraph, tmp_path)
    assert index.digest == GraphIndex.from_records(nodes, rels).digest
    assert [repr(edge.weight) for edge in index.all_edges()] == ["1", "1.0", str(10**20)]
    assert report.counts()["blank"] == 3
    assert report.counts()["repaired"] == 0


def test_a_damaged_cell_of_properties_is_kept_as_text(tmp_path):
    nodes = [KnowledgeNode("a", "t", "A", properties={"x": 1}), KnowledgeNode("b", "t", "B")]
    exported(tmp_path, nodes, [KnowledgeEdge("a", "b", "r")])
    content = (tmp_path / "nodes.csv").read_text("utf-8")
    written(tmp_path / "nodes.csv", content.replace('{""x"": 1}', '{""x"": '))
    index, report = load(CsvGraph, tmp_path)
    assert node(index, "a").properties == {"properties": '{"x": '}
    assert said(report) == [
        "repaired ×1: properties that are no JSON object were kept as a property of that name"
    ]


def test_other_tables_may_have_properties_as_json_too(tmp_path):
    folder = pair(tmp_path, 'id,x,properties\na,1,"{""x"": 2, ""y"": null, ""z"": [3]}"\nb,1,plain\n')
    index, report = load(CsvGraph, folder)
    assert node(index, "a").properties == {"x": 1, "z": [3]}
    assert node(index, "b").properties == {"properties": "plain", "x": 1}
    assert report.findings == ()


INVENTED = DATA / "bug_files" / "invented"


@shared
def test_case_101_mark_semicolons_and_line_ends():
    index, report = load(CsvGraph, INVENTED / "csv_bom_semicolon.csv")
    assert (edges(index), index.node_count) == (["ä1 -related_to-> b2"], 2)
    assert report.of("repaired")[0].places == (str(INVENTED / "csv_bom_semicolon.csv:2"),)
    index, report = load(CsvGraph, INVENTED / "csv_bom_semicolon.csv", decimal=",")
    assert (only_edge(index).weight, report.findings) == (0.75, ())


@shared
def test_case_103_spaces_in_one_table_only():
    index, _ = load(CsvGraph, INVENTED, nodes="csv_spaces_nodes.csv", edges="csv_spaces_edges.csv")
    assert (list(index.ids), index.dangling_edges) == (["a", "b"], 0)


@shared
@pytest.mark.parametrize(
    ("name", "ids"), [("cp1252", ["Mühle", "Straße"]), ("na_ids", ["NA", "DE", "null", "007", "7"])]
)
def test_invented_tables(name, ids):
    index, report = load(CsvGraph, INVENTED / f"csv_{name}.csv")
    assert list(index.ids) == ids
    assert len(report.findings) == (name == "cp1252")  # the encoding is a guess, and told


@shared
def test_a_supply_chain_of_three_node_tables():
    tables = ["Company.csv", "Industry.csv", "Product.csv"]
    index, report = load(
        CsvGraph, DATA / "formats/kag-csv", nodes=tables, edges="Company_fundTrans_Company.csv"
    )
    assert (index.node_count, index.edge_count, index.dangling_edges) == (157, 19, 0)
    assert [(finding.kind, finding.count) for finding in report.findings] == [("duplicated", 34)]
    assert Counter(each.node_type for each in index.all_nodes()) == {
        "Company": 103,
        "Industry": 10,
        "Product": 44,
    }


@shared
@pytest.mark.parametrize(
    ("model", "nodes", "rels", "blank"), [("zoo", 181, 257, 1), ("toop-goopra", 180, 365, 0)]
)
def test_elements_and_relations_of_an_architecture(model, nodes, rels, blank):
    index, report = load(
        CsvGraph, DATA / "formats/ea-csv-json" / model, nodes="elements.csv", edges="relations.csv"
    )
    assert (index.node_count, index.edge_count) == (nodes, rels)
    assert sum(finding.count for finding in report.findings) == report.counts()["blank"] == blank
