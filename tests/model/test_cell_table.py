from __future__ import annotations

import itertools

import pytest

from graphrag_pipeline import GraphSourceError, KnowledgeNode, classify
from graphrag_pipeline.graph.zachman.tables import TABLES, load_cell_table
from graphrag_pipeline.model.cell_table import CellTable
from graphrag_pipeline.model.classification import REFERENCE_TABLE
from graphrag_pipeline.model.zachman import ZachmanCell
from tests.graph.sources.files import DATA, shared, written


def of(node_type="t", node_id="n", namespace="fcc", **properties):
    return KnowledgeNode(node_id, node_type, "N", namespace, properties=properties)


def table(**data):
    return CellTable.from_dict(data, "mine")


def test_the_first_rule_that_fits_wins_and_whole_cells_come_first():
    rules = table(
        cells=[{"gives": "executive:why", "type": ["Goal"], "confidence": "high"}],
        perspectives=[{"gives": "engineer", "type": ["go*"]}, {"gives": "architect"}],
        interrogatives=[{"gives": "how", "type": ["task"]}, {"gives": "what"}],
    )
    assert rules.cell(of("GOAL")) == ("executive:why", "high")
    assert rules.cell(of("gopher")) == ("engineer:what", "")
    assert rules.cell(of("task")) == ("architect:how", "")


@pytest.mark.parametrize(
    ("condition", "node"),
    [
        ({"layer": ["business"]}, of(layer="Business ")),
        ({"namespace": "crm*"}, of(namespace="CRM-2")),
        ({"persona": ["ENG", "FCON"]}, of(persona_id="fcon-001")),
        ({"persona": ["ENG"]}, of("Persona", "ENG-7")),
        ({"property": {"stage": ["live", "test"]}}, of(stage="live")),
        ({"property": {"tags": "red"}}, of(tags=["blue", "red"])),
        ({"property": {"count": "3"}}, of(count=3)),
        ({"type": ["t"], "layer": ["x"]}, of(layer="x")),
    ],
)
def test_a_rule_may_look_at_type_layer_persona_namespace_and_properties(condition, node):
    rules = table(perspectives=[{"gives": "engineer", **condition}])
    assert rules.cell(node) == ("engineer", "")
    assert rules.cell(of("other", "other", "other")) == ("", "")


def test_all_conditions_of_a_rule_must_hold():
    rules = table(perspectives=[{"gives": "engineer", "type": ["t"], "layer": ["x"]}])
    assert rules.cell(of(layer="y")) == ("", "")


def test_a_default_fills_the_half_that_no_rule_gives():
    rules = table(interrogatives=[{"gives": "how", "type": ["task"]}], default="architect:what")
    assert [rules.cell(of(kind))[0] for kind in ("task", "memo")] == ["architect:how", "architect:what"]


def test_a_column_without_a_row_is_no_cell():
    assert table(interrogatives=[{"gives": "how"}]).cell(of()) == ("", "")


@pytest.mark.parametrize(
    ("data", "what", "where"),
    [
        ([], "A table of cells is an object of lists of rules; this is a list.", ""),
        ({"cell": []}, "The key 'cell' is unknown.", ""),
        ({"cells": 7}, "cells must be a list of rules.", "cells"),
        ({"cells": [7]}, "A rule is an object.", "cells[0]"),
        ({"cells": [{"gives": "executive"}]}, "'executive' is not a Zachman cell", "cells[0]"),
        ({"perspectives": [{"gives": "enginer"}]}, "'enginer' is no perspective", "perspectives[0]"),
        ({"interrogatives": [{}]}, "The rule has no key 'gives'", "interrogatives[0]"),
        ({"cells": [{"gives": "executive:why", "kind": "x"}]}, "The key 'kind' is unknown.", "cells[0]"),
        (
            {"perspectives": [{"gives": "engineer", "type": [[]]}]},
            "A condition is a text",
            "perspectives[0].type",
        ),
        (
            {"perspectives": [{"gives": "engineer", "type": []}]},
            "A condition is a text",
            "perspectives[0].type",
        ),
        ({"perspectives": [{"gives": "engineer", "property": "x"}]}, "property maps", "perspectives[0]"),
        ({"default": "x"}, "'x' is not a Zachman cell", "default"),
    ],
)
def test_a_wrong_table_is_refused_naming_the_rule(data, what, where):
    with pytest.raises(GraphSourceError) as refused:
        CellTable.from_dict(data, "mine")
    assert refused.value.what.startswith(what)
    assert refused.value.where == where


def test_a_misspelt_key_is_told_its_neighbour():
    with pytest.raises(GraphSourceError) as refused:
        table(perspectivs=[])
    assert refused.value.hint == "Did you mean 'perspectives'?"


def test_the_reference_table_gives_the_cells_of_the_reference():
    rules = load_cell_table("reference")
    converted = CellTable.of_classification(REFERENCE_TABLE, "reference")
    kinds = [*REFERENCE_TABLE.kinds, "memo", " Schema ", ""]
    owners = [*(f"{prefix}-1" for prefix, _ in REFERENCE_TABLE.prefixes), "arch-2", "nobody", ""]
    for kind, owner in itertools.product(kinds, owners):
        node = of(kind, persona_id=owner)
        if kind.strip().lower() == "persona":
            node = of(kind, owner)
        expected = classify(kind, owner).coordinate
        assert rules.cell(node)[0] == converted.cell(node)[0] == expected, (kind, owner)


def test_a_table_in_the_references_shape_is_one_too(tmp_path):
    path = written(tmp_path / "t.yaml", "kinds: {how: [pipeline]}\nprefixes: {engineer: [ENG]}\n")
    assert load_cell_table(str(path)).cell(of("Pipeline", persona_id="eng-1"))[0] == "engineer:how"


@pytest.mark.parametrize("name", TABLES)
def test_every_cell_of_a_shipped_table_is_one(name):
    rules = load_cell_table(name)
    for rule in rules.cells:
        ZachmanCell.from_coordinate(rule.gives)
    assert rules.cells or rules.perspectives


@shared
def test_the_archimate_table_says_what_the_derivation_says():
    import csv

    rules = load_cell_table("archimate")
    with (DATA / "archimate/zachman_mapping.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 61
    for row in rows:
        confidence = row["confidence"] if row["zachman_cell"] else ""
        assert rules.cell(of(row["element_type"])) == (row["zachman_cell"], confidence)


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        ("a: [", "", "The file is not valid YAML"),
        ("cells: []\ncells: []\n", ":2:1", "The file is not valid YAML: the key 'cells' is written twice"),
        ("perspectives: [{gives: NO}]", ": perspectives[0]", "'NO' is no perspective"),
        ("x", "", "A table of cells is an object"),
    ],
)
def test_a_broken_file_is_refused_naming_it(tmp_path, content, where, what):
    path = written(tmp_path / "t.yaml", content)
    with pytest.raises(GraphSourceError) as refused:
        load_cell_table(str(path))
    assert refused.value.what.startswith(what)
    assert refused.value.where.startswith(f"{path}{where}")


def test_a_table_that_is_not_there_is_told_the_names_there_are(tmp_path):
    with pytest.raises(GraphSourceError) as refused:
        load_cell_table("archimat")
    assert refused.value.hint == "Did you mean 'archimate'?"
    with pytest.raises(GraphSourceError) as refused:
        load_cell_table(str(tmp_path / "none.yaml"))
    assert refused.value.hint == "Built in: archimate, reference; or give a YAML file."


def test_a_table_that_aliases_would_blow_up_is_refused(tmp_path):
    types = ", ".join(f"t{number}" for number in range(2000))
    text = f"perspectives:\n  - &r {{gives: engineer, type: [{types}]}}\n" + "  - *r\n" * 2000
    with pytest.raises(GraphSourceError, match="more than 100,000 values"):
        load_cell_table(str(written(tmp_path / "t.yaml", text)))
    with pytest.raises(GraphSourceError, match="larger than 1 MiB"):
        load_cell_table(str(written(tmp_path / "u.yaml", "# " + "x" * (1 << 20))))
