from __future__ import annotations

from typing import Any

import pytest

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.msgraphrag.source import MsGraphRagGraph
from tests.graph.sources.files import DATA, account, edges, load, node, said, shared

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ENTITIES: dict[str, Any] = {
    "id": ["e1", "e2", "e3"],
    "human_readable_id": [0, 1, 2],
    "title": ["ADA", "KILN", "HARBOUR"],
    "type": ["PERSON", "", None],
    "description": ["A founder.", "It burns.", None],
    "text_unit_ids": [["u1"], ["u1", "u2"], []],
}
RELATIONSHIPS: dict[str, Any] = {
    "id": ["r1", "r2"],
    "human_readable_id": [0, 1],
    "source": ["ADA", "KILN"],
    "target": ["KILN", "GHOST"],
    "description": ["Ada built it.", "It haunts."],
    "weight": [2.0, 1.0],
    "combined_degree": [3, 2],
    "text_unit_ids": [["u1"], ["u2"]],
}
GEOMETRY: dict[str, Any] = {"degree": [1, 2, 0], "x": [0.5, 1.5, 2.5], "y": [0.0, 0.0, 1.0]}
COMMUNITIES: dict[str, Any] = {
    "id": ["c0", "c1"],
    "community": [0, 4],
    "level": [0, 1],
    "parent": [-1, 0],
    "children": [[4], []],
    "title": ["Community 0", "Community 4"],
    "entity_ids": [["e1", "e2"], ["e1"]],
}
TEXT_UNITS: dict[str, Any] = {
    "id": ["u1", "u2"],
    "text": ["\ufeff\n  # Chapter 1 \nAda built a kiln.", "x" * 200],
    "n_tokens": [9, 50],
    "document_ids": [["d1"], ["d1"]],
    "entity_ids": [["e1", "e2"], ["e2", "e9"]],
    "relationship_ids": [["r1"], ["r2"]],
}
NEW = {"entities": {**ENTITIES, **GEOMETRY}, "relationships": RELATIONSHIPS, "communities": COMMUNITIES}


def output(folder, prefix="", **tables):
    folder.mkdir(parents=True, exist_ok=True)
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{prefix}{name}.parquet")
    return folder


def without(columns, *names):
    return {name: column for name, column in columns.items() if name not in names}


def refusal(path, **params):
    with pytest.raises(GraphSourceError) as refused:
        load(MsGraphRagGraph, path, **params)
    return refused.value


def test_entities_are_nodes_named_by_their_titles(tmp_path):
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW))
    assert list(index.ids) == ["ADA", "KILN", "HARBOUR"]
    ada = node(index, "ADA")
    assert (ada.label, ada.node_type, ada.namespace) == ("ADA", "PERSON", "msgraphrag")
    assert dict(ada.properties) == {
        "id": "e1",
        "human_readable_id": 0,
        "description": "A founder.",
        "degree": 1,
        "x": 0.5,
        "y": 0.0,
        "communities": [0, 4],
        "text_unit_ids": ["u1"],
    }
    assert "entities in no community: 1" in report.notes


def test_relationships_are_edges_with_their_descriptions(tmp_path):
    index, _ = load(MsGraphRagGraph, output(tmp_path, **NEW))
    assert edges(index) == ["ADA -related_to-> KILN", "KILN -related_to-> GHOST"]
    first = index.all_edges()[0]
    assert (first.weight, first.properties["description"]) == (2.0, "Ada built it.")
    assert first.properties["combined_degree"] == 3


def test_an_end_without_entity_dangles_or_is_made(tmp_path):
    index, _ = load(MsGraphRagGraph, output(tmp_path, **NEW))
    assert (index.node_count, index.dangling_edges) == (3, 1)
    index, _ = load(MsGraphRagGraph, tmp_path, unknown_ends="make")
    assert (node(index, "GHOST").node_type, index.dangling_edges) == ("unknown", 0)


def test_blank_types_stay_blank_and_are_remarked(tmp_path):
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW))
    assert [each.node_type for each in index.all_nodes()] == ["PERSON", "", ""]
    assert said(report) == ["blank ×2: a node's type is empty"]
    assert report.findings[0].places[0] == f"{tmp_path}/entities.parquet: row 2"


def test_case_50_both_layouts_are_one_graph(tmp_path):
    old = {
        "entities": {
            "human_readable_id": ENTITIES["human_readable_id"],
            "name": ENTITIES["title"],
            **without(ENTITIES, "human_readable_id", "title"),
        },
        "nodes": {
            "level": [0, 0, 0, 1],
            "title": ["ADA", "KILN", "HARBOUR", "ADA"],
            "id": ["e1", "e2", "e3", "e1"],
            "community": ["0", "0", None, "4"],
            **{name: [*column, column[0]] for name, column in GEOMETRY.items()},
        },
        "relationships": {
            **without(RELATIONSHIPS, "combined_degree", "human_readable_id"),
            "rank": RELATIONSHIPS["combined_degree"],
            "human_readable_id": ["0", "1"],
        },
    }
    before, report = load(MsGraphRagGraph, output(tmp_path / "a", "create_final_", **old))
    after, again = load(MsGraphRagGraph, output(tmp_path / "b", **NEW))
    assert before.all_nodes() == after.all_nodes()
    assert before.all_edges() == after.all_edges()
    assert before.digest == after.digest
    assert "releases 0.1 to 1.x" in report.notes[0]
    assert "release 2.0 and later" in again.notes[0]
    assert account(report).left == {
        "rows of create_final_nodes.parquet that became properties of entities": 4
    }


def test_case_50_two_columns_are_enough(tmp_path):
    names, ends = {"description": ["A", "B"]}, {"source": ["ADA"], "target": ["KILN"]}
    old = {"entities": {"name": ["ADA", "KILN"], **names}, "relationships": ends}
    new = {"entities": {"title": ["ADA", "KILN"], **names}, "relationships": ends}
    before, report = load(MsGraphRagGraph, output(tmp_path / "a", "create_final_", **old))
    after, _ = load(MsGraphRagGraph, output(tmp_path / "b", **new))
    assert before.digest == after.digest
    assert (before.node_count, edges(before)) == (2, ["ADA -related_to-> KILN"])
    assert [each.node_type for each in before.all_nodes()] == ["entity", "entity"]
    assert report.findings == ()


def test_tables_of_two_layouts_are_refused_by_name(tmp_path):
    output(tmp_path, **NEW)
    output(tmp_path, "create_final_", entities=ENTITIES)
    error = refusal(tmp_path)
    assert "create_final_entities.parquet, but also entities.parquet, relationships.parquet" in error.what


def test_case_49_each_missing_column_is_noted_once(tmp_path):
    tables = {**NEW, "communities": without(COMMUNITIES, "children")}
    index, report = load(MsGraphRagGraph, output(tmp_path, **tables))
    assert index.node_count == 3
    assert [note for note in report.notes if "has no column" in note] == [
        "entities.parquet has no column frequency",
        "entities.parquet has no column description_embedding",
        "communities.parquet has no column children",
    ]


def test_vectors_are_not_read_and_that_is_noted(tmp_path):
    tables = {**NEW, "entities": {**ENTITIES, "description_embedding": [[0.5]] * 3}}
    index, report = load(MsGraphRagGraph, output(tmp_path, **tables))
    assert "description_embedding" not in node(index, "ADA").properties
    assert "entities.parquet: columns that are not read: description_embedding" in report.notes


@pytest.mark.parametrize("columns", [{}, {name: pa.array([], pa.string()) for name in RELATIONSHIPS}])
def test_case_52_no_relationships_are_isolated_nodes(tmp_path, columns):
    index, report = load(MsGraphRagGraph, output(tmp_path, **{**NEW, "relationships": columns}))
    assert (index.node_count, index.edge_count) == (3, 0)
    assert ("relationships.parquet has no columns" in report.notes) is not bool(columns)


def test_entities_of_one_title_are_merged_and_told(tmp_path):
    tables = {**NEW, "entities": {**ENTITIES, "title": ["ADA", "KILN", "ADA"]}}
    index, report = load(MsGraphRagGraph, output(tmp_path, **tables, text_units=TEXT_UNITS))
    assert (index.node_count, node(index, "ADA").properties["id"]) == (4, "e3")
    assert report.duplicate_ids == ("ADA",)


def test_an_entity_without_a_title_is_named_by_its_id(tmp_path):
    tables = {**NEW, "entities": {**ENTITIES, "title": ["ADA", "", None]}}
    index, report = load(MsGraphRagGraph, output(tmp_path, **tables))
    assert [(each.node_id, each.label) for each in index.all_nodes()] == [
        ("ADA", "ADA"),
        ("e2", "e2"),
        ("e3", "e3"),
    ]
    assert report.counts()["blank"] == 4


def test_text_units_are_passages_that_mention_entities(tmp_path):
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW, text_units=TEXT_UNITS))
    passage = node(index, "u1")
    assert (passage.node_type, passage.label) == ("passage", "# Chapter 1 Ada built a kiln.")
    assert passage.properties == {
        "text": "\ufeff\n  # Chapter 1 \nAda built a kiln.",
        "n_tokens": 9,
        "document_ids": ["d1"],
    }
    assert node(index, "u2").label == "x" * 80 + "…"
    assert edges(index)[2:] == [
        "u1 -mentions-> ADA",
        "u1 -mentions-> KILN",
        "u2 -mentions-> KILN",
        "u2 -mentions-> e9",
    ]
    assert account(report).made == {"entities that text units mention": 4}
    assert "text_unit_ids" not in node(index, "ADA").properties
    assert "text_units.parquet: columns that are not read: relationship_ids" in report.notes


def test_text_units_of_release_3_name_one_document_and_may_not_list_entities(tmp_path):
    units = {**without(TEXT_UNITS, "document_ids", "entity_ids"), "document_id": ["d1", "d2"]}
    index, _ = load(MsGraphRagGraph, output(tmp_path, **NEW, text_units=units))
    assert node(index, "u2").properties["document_ids"] == ["d2"]
    assert edges(index)[2:] == ["u1 -mentions-> ADA", "u1 -mentions-> KILN", "u2 -mentions-> KILN"]


def test_what_either_table_says_of_mentions_is_an_edge_once(tmp_path):
    units = {**TEXT_UNITS, "id": ["u1", "u7"], "entity_ids": [["e2", "e2"], []]}
    index, _ = load(MsGraphRagGraph, output(tmp_path, **NEW, text_units=units))
    assert edges(index)[2:] == ["u1 -mentions-> KILN", "u1 -mentions-> ADA", "u2 -mentions-> KILN"]
    assert index.dangling_edges == 2


def test_text_units_can_be_left_alone(tmp_path):
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW, text_units=TEXT_UNITS), text_units=False)
    assert (index.node_count, node(index, "ADA").properties["text_unit_ids"]) == (3, ["u1"])
    assert "not read: text_units.parquet" in report.notes


def test_a_text_unit_with_the_id_of_an_entity_is_kept_apart(tmp_path):
    units = {**TEXT_UNITS, "id": ["ADA", "u2"]}
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW, text_units=units))
    assert (node(index, "ADA").node_type, node(index, "text_unit:ADA").node_type) == ("PERSON", "passage")
    assert report.counts()["repaired"] == 1


def test_communities_contain_entities_and_each_other(tmp_path):
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW), communities=True)
    assert node(index, "community:4").label == "Community 4"
    assert node(index, "community:4").node_type == "community"
    assert dict(node(index, "community:4").properties) == {
        "community": 4,
        "id": "c1",
        "level": 1,
        "parent": 0,
        "children": [],
    }
    assert edges(index)[2:] == [
        "community:0 -contains-> ADA",
        "community:0 -contains-> KILN",
        "community:0 -contains-> community:4",
        "community:4 -contains-> ADA",
    ]
    assert account(report).made == {"entities in communities": 3, "communities in communities": 1}


def test_reports_are_texts_of_communities(tmp_path):
    reports = {
        "id": ["x", "y"],
        "community": [4, 9],
        "title": ["Ada's kiln", "Lost"],
        "summary": ["Short.", "?"],
        "full_content": ["Long.", "??"],
        "rating_explanation": ["Because.", None],
        "findings": [[{"summary": "s"}], None],
    }
    index, report = load(MsGraphRagGraph, output(tmp_path, **NEW, community_reports=reports), reports=True)
    assert node(index, "community:4").label == "Ada's kiln"
    told = node(index, "community:4").properties
    assert (told["description"], told["text"], told["rank_explanation"]) == ("Short.", "Long.", "Because.")
    assert (told["findings"], told["level"], told["id"]) == ([{"summary": "s"}], 1, "c1")
    assert node(index, "community:9").label == "Lost"
    assert account(report).left == {
        "rows of community_reports.parquet that became properties of communities": 1
    }
    assert (
        "there is no table of reports"
        in load(MsGraphRagGraph, output(tmp_path / "b", **NEW), reports=True)[1].notes
    )


def test_communities_may_be_known_from_the_table_of_nodes_only(tmp_path):
    nodes = {
        "title": ["ADA", "KILN", "NOBODY"],
        "community": [1.0, float("nan"), -1.0],
        "level": [float("nan")] * 3,
    }
    tables = {"entities": without(ENTITIES, "id"), "relationships": RELATIONSHIPS, "nodes": nodes}
    index, report = load(MsGraphRagGraph, output(tmp_path, "create_final_", **tables), communities=True)
    assert [node(index, id_).properties.get("communities") for id_ in ("ADA", "KILN")] == [[1], None]
    assert edges(index)[2:] == ["community:1 -contains-> ADA"]
    assert account(report).made["communities that no table lists"] == 1
    assert "skipped ×1: a row of the table of nodes is about no entity" in said(report)


@pytest.mark.parametrize(
    "below", ["output", "artifacts", "output/artifacts", "output/2024-07/artifacts", "r/artifacts"]
)
def test_the_output_is_found_below_the_root(tmp_path, below):
    output(tmp_path / below, **NEW)
    index, report = load(MsGraphRagGraph, tmp_path)
    assert index.node_count == 3
    assert report.notes[0].startswith(str(tmp_path / below))


def test_several_outputs_are_listed(tmp_path):
    for run in ("a", "b"):
        output(tmp_path / "output" / run / "artifacts", **NEW)
    error = refusal(tmp_path)
    assert error.what == "The folder has 2 outputs of GraphRAG."
    assert str(tmp_path / "output" / "a" / "artifacts") in error.hint


def test_what_is_no_output_is_refused(tmp_path):
    assert "no output of GraphRAG" in refusal(tmp_path).what
    assert "There is no such folder" in refusal(tmp_path / "nowhere").what
    output(tmp_path, entities=ENTITIES)
    assert "no relationships.parquet" in refusal(tmp_path).what
    output(tmp_path, relationships=without(RELATIONSHIPS, "source"))
    assert refusal(tmp_path).what == "The table has no column source."
    output(tmp_path, entities=without(ENTITIES, "title"))
    assert refusal(tmp_path).what == "The table has no column title or name."


def test_cells_of_any_kind_are_read(tmp_path):
    odd: list[Any] = [{"a": 1}, None, {"a": 2}]
    tables = {
        "entities": dict.fromkeys(ENTITIES, odd),
        "relationships": dict.fromkeys(RELATIONSHIPS, odd),
        "communities": dict.fromkeys(COMMUNITIES, odd),
        "text_units": dict.fromkeys(TEXT_UNITS, odd),
        "community_reports": {"community": odd, "title": odd},
    }
    index, _ = load(MsGraphRagGraph, output(tmp_path, **tables), reports=True)
    assert node(index, "{'a': 1}").node_type == "{'a': 1}"


REAL = {  # nodes, edges, blank types, dangling edges, entities without community, isolated entities
    "formats/msgraphrag/v0.1.1": (217, 276, 5, 0, 185, 185),
    "formats/msgraphrag/v1.0.0": (242, 455, 16, 0, 54, 0),
    "formats/msgraphrag/v2.7.2": (18, 54, 4, 0, 2, 0),
    "bug_files/ms_graphrag/v0.4.0": (290, 440, 22, 0, 58, 15),
    "bug_files/ms_graphrag/v0.5.0": (249, 365, 17, 0, 62, 15),
    "bug_files/ms_graphrag/v0.9.0": (260, 399, 17, 0, 48, 0),
    "bug_files/ms_graphrag/v1.2.0": (301, 465, 13, 0, 61, 20),
    "bug_files/ms_graphrag/v2.0.0": (251, 372, 22, 0, 26, 15),
    "bug_files/ms_graphrag/v3.1.2": (529, 978, 0, 84, 25, 1),
}


@shared
@pytest.mark.parametrize("folder", REAL)
def test_case_145_every_release_is_read_with_one_config(folder):
    nodes, rels, blank, dangling, alone, isolated = REAL[folder]
    index, report = load(MsGraphRagGraph, DATA / folder, text_units=False)
    assert (index.node_count, index.edge_count, index.dangling_edges) == (nodes, rels, dangling)
    assert {finding.kind: finding.count for finding in report.findings} == ({"blank": blank} if blank else {})
    assert sum(not each.node_type for each in index.all_nodes()) == blank
    assert sum("communities" not in each.properties for each in index.all_nodes()) == alone
    ends = {end for edge in index.all_edges() for end in (edge.source_id, edge.target_id)}
    assert sum(node_id not in ends for node_id in index.ids) == isolated


@shared
@pytest.mark.parametrize(
    ("release", "passages", "mentions", "communities", "contained", "inner"),
    [
        ("v0.1.1", 12, 307, 6, 46, 0),
        ("v1.0.0", 42, 432, 32, 362, 24),
        ("v2.7.2", 5, 34, 2, 16, 0),
        ("v3.1.2", 42, 779, 122, 1152, 99),
    ],
)
def test_passages_and_communities_of_real_outputs(release, passages, mentions, communities, contained, inner):
    index, report = load(MsGraphRagGraph, DATA / "formats/msgraphrag" / release, reports=True)
    kinds = [each.node_type for each in index.all_nodes()]
    assert (kinds.count("passage"), kinds.count("community")) == (passages, communities)
    types = [edge.edge_type for edge in index.all_edges()]
    assert (types.count("mentions"), types.count("contains")) == (mentions, contained + inner)
    reported = [each for each in index.all_nodes() if each.node_type == "community"]
    assert all(each.properties["text"].startswith("# ") for each in reported)
    assert account(report).made["entities in communities"] == contained
