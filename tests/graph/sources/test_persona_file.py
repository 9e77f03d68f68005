"""Personas from files, sound and broken."""

from __future__ import annotations

import json
import time

import pytest

from graphrag_pipeline import GraphSourceError, Persona, PersonaRegistry
from graphrag_pipeline.graph.sources.demo_personas import DemoPersonas
from graphrag_pipeline.graph.sources.no_personas import NoPersonas
from graphrag_pipeline.graph.sources.persona_file import PersonaFile, PersonaFileParams


@pytest.fixture
def load(tmp_path):
    """Write a file and load it as personas."""

    def _load(text: object, name: str = "p.yaml") -> PersonaRegistry:
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return PersonaFile(PersonaFileParams(path=str(path))).load()

    return _load


def ids(registry: PersonaRegistry) -> list[str]:
    return [persona.id for persona in registry]


def places(registry: PersonaRegistry) -> list[str]:
    """What was skipped, paths cut down to the file's name."""
    return [line.rsplit("/", 1)[-1] for line in registry.skipped]


@pytest.mark.parametrize("head", ["", "personas:\n", "# a comment\n---\npersonas:\n"])
def test_a_list_at_the_top_or_under_personas_is_read(load, head):
    indent = "  " if "personas" in head else ""
    registry = load(f"{head}{indent}- id: A\n{indent}- {{id: B, name: Bob}}\n")
    assert ids(registry) == ["A", "B"]
    assert registry.skipped == ()


def test_every_field_is_read_under_either_of_its_names(load, tmp_path):
    ours = (
        "- {id: A, name: N, role: R, category: C, phase: P, description: D, zachman_cell: 'architect:who'}\n"
    )
    theirs = "- {persona_id: A, name: N, role_title: R, category: C, fcc_phase: P, description: D, "
    theirs += "zachman_cell: 'architect:who'}\n"
    expected = Persona("A", "N", "R", "C", "P", "D", "architect:who", f"{tmp_path / 'p.yaml'}:1")
    assert list(load(ours)) == [expected]
    assert list(load(theirs)) == [expected]


@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
@pytest.mark.parametrize(
    ("entry", "aliases", "focus"),
    [
        ({"aliases": ["Ann", " B. ", "", "Ann"], "focus": ["audit trail"]}, ("Ann", "B."), ("audit trail",)),
        ({"aliases": "Ann", "focus_terms": ["港", "ß"]}, ("Ann",), ("港", "ß")),
        ({"alias": [7, None, True], "focus": None}, ("7", "true"), ()),
        ({"aliases": [], "focus": "  "}, (), ()),
        ({}, (), ()),
    ],
)
def test_other_names_and_focus_terms_are_a_list_of_texts_or_one_text(load, name, entry, aliases, focus):
    (persona,) = load([{"id": "A", **entry}], name)
    assert (persona.aliases, persona.focus) == (aliases, focus)


@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
@pytest.mark.parametrize("wrong", [{"a": "b"}, ["x", ["y"]], ["x", {"y": "z"}], ["x"] * 101])
def test_another_kind_of_list_leaves_a_persona_out(load, name, wrong):
    registry = load([{"id": "A", "aliases": wrong}, {"id": "B", "focus": ["x"] * 100}], name)
    assert ids(registry) == ["B"]
    said = "persona left out, aliases must be a text or a list of at most 100 texts"
    assert places(registry)[0].endswith(f":1: {said}")


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".YAML", ".json"])
def test_the_suffix_says_how_to_read(load, suffix):
    assert ids(load([{"id": "A"}], f"p{suffix}")) == ["A"]


@pytest.mark.parametrize(
    "written", ["007", "12E34", "1_000", "NO", "2024-01-01", "0x1F", "1.50", "on", "08:30"]
)
def test_an_id_in_yaml_stays_the_text_it_was_written_as(load, written):
    assert ids(load(f"- id: {written}\n")) == [written]


@pytest.mark.parametrize("written", ["7", "1.50", "12e34", "123456789012345678901234567890", "NaN"])
def test_a_number_in_json_stays_the_text_it_was_written_as(load, written):
    assert ids(load(f'[{{"id": {written}}}]', "p.json")) == [written]


def test_a_number_in_json_of_any_length_is_read(load):
    assert ids(load(f'[{{"id": {"9" * 5000}}}, {{"id": "B"}}]', "p.json")) == ["9" * 5000, "B"]


def test_blanks_around_a_value_are_left_out(load):
    (persona,) = load("- {id: ' A ', name: \" Ann\\n\"}\n")
    assert (persona.id, persona.name) == ("A", "Ann")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("name: Ann", "persona left out, it has no id"),
        ("id: ''", "persona left out, it has no id"),
        ("id:", "persona left out, it has no id"),
        ("id: ~", "persona left out, it has no id"),
        ("id: [A]", "persona left out, id must be text"),
        ("id: {a: b}", "persona left out, id must be text"),
        ("id: A\n  name: [x]\n  role: {}", "persona left out, name, role must be text"),
    ],
)
def test_a_malformed_entry_is_left_out_with_file_and_line(load, entry, problem):
    registry = load(f"- id: FIRST\n\n- {entry}\n- id: LAST\n")
    assert ids(registry) == ["FIRST", "LAST"]
    assert places(registry) == [f"p.yaml:3: {problem}"]


@pytest.mark.parametrize(
    ("entry", "kind"),
    [("Ann", "the text 'Ann'"), ("[a]", "a list"), ("~", "the text ''"), ("7", "the text '7'")],
)
def test_an_entry_that_is_no_mapping_is_left_out(load, entry, kind):
    assert places(load(f"- {entry}\n- id: B\n")) == [f"p.yaml:1: not a persona but {kind}"]


def test_malformed_entries_in_json_are_named_by_line(load):
    text = '{"personas": [\n  {"id": "A"},\n  {"name": "x"},\n\n  7, {"id": ["y"]}\n]}'
    registry = load(text, "p.json")
    assert ids(registry) == ["A"]
    assert places(registry) == [
        "p.json:3: persona left out, it has no id",
        "p.json:5: not a persona but the text '7'",
        "p.json:5: persona left out, id must be text",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"meta": {"personas": [1]}, "personas": [\n{"id": "A"}, {"id": "B"}]}',
        '{"note": "\\"personas\\": [", "personas": [\n{"id": "A"}, {"id": "B"}]}',
        '{"person\\u0061s": [\n{"id": "A"}, {"id": "B"}]}',
        '{"personas": [7, 8, 9], "personas" :\n[{"id": "A"}, {"id": "B"}]}',
        '{"personas"\n:[{"id": "A"}\n,{"id": "B"}], "more": [[]]}',
    ],
)
def test_the_list_in_json_is_found_whatever_stands_around_it(load, text, tmp_path):
    registry = load(text, "p.json")
    assert ids(registry) == ["A", "B"]
    first = registry.get("A")
    assert first is not None
    assert first.origin == f"{tmp_path / 'p.json'}:2"


def test_an_unknown_cell_is_left_out_and_the_persona_kept(load):
    registry = load("- id: A\n- {id: B, zachman_cell: architect}\n")
    persona = registry.get("B")
    assert persona is not None
    assert persona.zachman_cell == ""
    assert places(registry)[0].startswith(
        "p.yaml:2: zachman_cell of 'B' left out, 'architect' is not a Zachman"
    )


def test_a_repeated_id_across_files_is_reported_with_both_places(load, tmp_path):
    (tmp_path / "b.json").write_text('[{"id": "A", "name": "second"}, {"id": "B"}]')
    (tmp_path / "notes.txt").write_text("- id: C")
    (tmp_path / "sub.yaml").mkdir()
    load("- id: X\n- {id: A, name: first}\n", "a.yml")
    registry = PersonaFile(PersonaFileParams(path=str(tmp_path))).load()
    assert ids(registry) == ["X", "A", "B"]
    kept = registry.get("A")
    assert kept is not None
    assert kept.name == "first"
    assert registry.skipped == (
        f"{tmp_path / 'b.json'}:1: persona 'A' again; the one at {tmp_path / 'a.yml'}:2 is kept",
    )


@pytest.mark.parametrize(
    "text", ["", "\n", "# only a comment\n", "personas:\n", "people: []\n", "7\n", "personas: x\n"]
)
def test_a_file_without_a_list_of_personas_is_refused(load, text):
    with pytest.raises(GraphSourceError, match="holds no list of personas"):
        load(text)


@pytest.mark.parametrize("text", ["{}", "7", '{"personas": {}}', '"x"', "null"])
def test_a_json_file_without_a_list_of_personas_is_refused(load, text):
    with pytest.raises(GraphSourceError, match="holds no list of personas"):
        load(text, "p.json")


def test_an_empty_list_is_no_personas(load):
    assert len(load("[]\n")) == len(load("[]", "p.json")) == len(load('{"personas": [ ]}', "q.json")) == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- id: A\n  name: 'x\n", "p.yaml:"),
        ("- id: A\n   name: x\n", "p.yaml:2:"),
        ("- id: A\n\tname: x\n", "p.yaml:2:1"),
        ("- *nobody\n", "p.yaml:1:3"),
        ("- id: A\n--- \n- id: B\n", "p.yaml:2:1"),
        ("- id: \x07\n", "p.yaml"),
        ("- id: !!python/name:os.system x\n", "p.yaml:1:7"),
        ("- id: A\n  aliases: [b, !local c]\n", "p.yaml:2:16"),
        ("- !!set {id: A}\n", "p.yaml:1:3"),
        ("note: !secret x\npersonas: [{id: A}]\n", "p.yaml:1:7"),
        ("[" * 5000, "p.yaml"),
    ],
)
def test_a_syntax_error_names_the_place(load, text, place):
    with pytest.raises(GraphSourceError, match="not valid YAML") as error:
        load(text)
    assert place in error.value.where


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("p.yaml", "The file is not valid YAML: it is nested too deeply."),
        ("p.json", "The file cannot be read as JSON: lists and objects are nested too deeply."),
    ],
)
def test_endless_nesting_is_told_in_plain_words(load, name, what):
    with pytest.raises(GraphSourceError) as error:
        load("[" * 50_000, name)
    assert error.value.what == what


def test_a_json_syntax_error_names_the_place(load):
    with pytest.raises(GraphSourceError, match="not valid JSON") as error:
        load('[\n{"id": }]', "p.json")
    assert error.value.where.endswith("p.json:2:8")


def test_a_key_written_twice_is_refused(load):
    with pytest.raises(GraphSourceError, match="'id' is written twice") as error:
        load("- id: A\n  name: x\n  id: B\n")
    assert error.value.where.endswith("p.yaml:3")


def test_any_letters_are_kept(load):
    registry = load("- {id: Ünï-数据-🚀, name: Ωmega, role: 'e\u0301'}\n")
    (persona,) = registry
    assert (persona.id, persona.name, persona.role) == ("Ünï-数据-🚀", "Ωmega", "e\u0301")


def test_nested_aliases_are_no_work(load):
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    text = "\n".join(
        ["a0: &a0 [x]", *levels, "personas:", "  - {id: A, name: *a59}", "  - *a59", "  - id: B"]
    )
    started = time.process_time()
    registry = load(text)
    assert time.process_time() - started < 1
    assert ids(registry) == ["B"]
    assert [line.split(": ", 1)[1] for line in places(registry)] == [
        "persona left out, name must be text",
        "not a persona but a list",
    ]


def test_one_long_list_that_many_personas_take_over_is_no_work(load):
    long = ", ".join(["x"] * 20_000)
    people = "".join(f"  - {{id: P{number}, focus: *long}}\n" for number in range(2000))
    started = time.process_time()
    registry = load(f"long: &long [{long}]\npersonas:\n{people}  - id: B\n")
    assert time.process_time() - started < 10
    assert ids(registry) == ["B"]


def test_a_thousand_personas_in_json_are_no_work(load):
    entries = [{"id": f"P-{number}", "description": "x" * 500} for number in range(3000)]
    started = time.process_time()
    assert len(load(entries, "p.json")) == 3000
    assert time.process_time() - started < 1


@pytest.mark.parametrize("name", ["missing.yaml", "missing.json"])
def test_a_missing_file_is_refused(tmp_path, name):
    with pytest.raises(GraphSourceError, match="cannot be read: No such file"):
        PersonaFile(PersonaFileParams(path=str(tmp_path / name))).load()


def test_another_kind_of_file_and_an_empty_directory_are_refused(tmp_path):
    (tmp_path / "p.txt").write_text("- id: A\n")
    with pytest.raises(GraphSourceError, match=r"read from \.yaml, \.yml or \.json"):
        PersonaFile(PersonaFileParams(path=str(tmp_path / "p.txt"))).load()
    with pytest.raises(GraphSourceError, match=r"holds no \.yaml, \.yml or \.json"):
        PersonaFile(PersonaFileParams(path=str(tmp_path))).load()


def test_a_missing_file_of_another_kind_is_said_to_be_missing(tmp_path):
    with pytest.raises(GraphSourceError, match="cannot be read: No such file or directory"):
        PersonaFile(PersonaFileParams(path=str(tmp_path / "p.txt"))).load()


def test_the_demo_personas_load_without_remarks():
    registry = DemoPersonas().load()
    assert "FCON-001" in registry
    assert registry.skipped == ()


def test_the_source_none_has_none():
    assert len(NoPersonas().load()) == 0


def test_yaml_merge_keys_are_honoured_and_a_personas_own_values_win(load):
    registry = load(
        """
defaults: &base {name: Base, role: Auditor, phase: find}
more: &more {role: Other, category: core}
personas:
  - {<<: *base, id: A}
  - id: B
    name: Own
    <<: *base
  - {<<: [*base, *more], id: C}
"""
    )
    found = [(p.id, p.name, p.role, p.category, p.phase) for p in registry]
    assert found == [
        ("A", "Base", "Auditor", "", "find"),
        ("B", "Own", "Auditor", "", "find"),
        ("C", "Base", "Auditor", "core", "find"),
    ]
    assert registry.skipped == ()
