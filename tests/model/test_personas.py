"""Look-ups among personas."""

from __future__ import annotations

import pytest

from graphrag_pipeline import Persona, PersonaRegistry, ZachmanCell

ANN = Persona("FCON-001", "Ann", role="auditor", category="core", phase="Critique", origin="p.yaml:2")
BOB = Persona("RES-001", "Bob", category="core", phase="Find", origin="p.yaml:5")
EVE = Persona("res-002", "Bob", category="guest", phase="Find", origin="p.yaml:9")


@pytest.fixture
def registry() -> PersonaRegistry:
    return PersonaRegistry([ANN, BOB, EVE])


def test_personas_keep_their_order(registry):
    assert [persona.id for persona in registry] == ["FCON-001", "RES-001", "res-002"]
    assert len(registry) == 3


def test_a_persona_is_found_by_its_exact_id(registry):
    assert registry.get("RES-001") is BOB
    assert registry.get("res-001") is None
    assert "FCON-001" in registry
    assert "fcon-001" not in registry


def test_personas_are_found_by_name_category_and_phase_in_order(registry):
    assert registry.by_name("Bob") == (BOB, EVE)
    assert registry.by_category("core") == (ANN, BOB)
    assert registry.by_phase("Find") == (BOB, EVE)
    assert registry.by_name("bob") == registry.by_category("") == registry.by_phase("nope") == ()


def test_anchors_are_the_named_fields_in_order_once_and_without_empty_ones(registry):
    assert registry.anchors("FCON-001") == ("FCON-001",)
    assert registry.anchors("FCON-001", ["role", "name", "id"]) == ("auditor", "Ann", "FCON-001")
    assert registry.anchors("RES-001", ["role", "name", "name"]) == ("Bob",)
    assert registry.anchors("RES-001", ["role"]) == ("RES-001",)


def test_a_field_of_several_texts_gives_each_as_an_anchor():
    many = Persona("P", "Ann", aliases=("Anne", "A.", "Ann"), focus=("audit trail", ""))
    registry = PersonaRegistry([many])
    assert registry.anchors("P", ["id", "name", "aliases", "focus"]) == (
        "P",
        "Ann",
        "Anne",
        "A.",
        "audit trail",
    )
    assert registry.anchors("P", ["focus", "role", "id"]) == ("audit trail", "P")
    assert registry.anchors("P") == ("P",)
    assert PersonaRegistry([Persona("Q")]).anchors("Q", ["aliases"]) == ("Q",)


def test_the_cell_of_a_persona_is_none_where_there_is_none_that_can_be_read():
    cells = {"A": "architect:who", "B": "", "C": "architect", "D": "nobody:who"}
    registry = PersonaRegistry(Persona(name, zachman_cell=cell) for name, cell in cells.items())
    assert registry.cell("A") == ZachmanCell.from_coordinate("architect:who")
    assert [registry.cell(name) for name in ("B", "C", "D", "E", "")] == [None] * 5


def test_an_unknown_persona_stands_for_itself(registry):
    assert registry.anchors("NOBODY", ["name"]) == ("NOBODY",)


def test_the_nearest_ids_come_best_first_and_case_does_not_matter(registry):
    assert registry.nearest("fcon-001")[0] == "FCON-001"
    assert registry.nearest("RES-002", 1) == ("res-002",)
    assert registry.nearest("RES-01") == ("RES-001", "res-002")
    assert registry.nearest("zzzzzz") == ()
    assert PersonaRegistry().nearest("x") == ()


def test_the_first_of_two_with_one_id_is_kept_and_both_places_told():
    again = Persona("RES-001", "Other", origin="q.yaml:7")
    registry = PersonaRegistry([BOB, again], skipped=["p.yaml:1: no id"])
    assert registry.get("RES-001") is BOB
    assert len(registry) == 1
    assert registry.skipped == (
        "p.yaml:1: no id",
        "q.yaml:7: persona 'RES-001' again; the one at p.yaml:5 is kept",
    )


def test_a_registry_says_nothing_when_nothing_is_wrong(registry):
    assert registry.skipped == ()
