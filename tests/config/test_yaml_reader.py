"""One YAML file: lines, characters and every mistake."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.tree import dotted, leaves, plain
from graphrag_pipeline.config.yaml_reader import MAX_NODES, parse_document, read_document


def mistakes(text):
    return [
        (problem.key, problem.origin, problem.what) for problem in parse_document(text, "f.yaml").problems
    ]


def test_every_value_knows_its_line_and_its_characters():
    tree = parse_document("a:\n  b: 007\n  c: [1e-3, x]\n", "f.yaml").tree
    found = {dotted(path): (str(leaf.origin), leaf.text) for path, leaf in leaves(tree)}
    assert found == {"a.b": ("f.yaml:2", "007"), "a.c.0": ("f.yaml:3", "1e-3"), "a.c.1": ("f.yaml:3", "x")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("85e-2", 0.85),
        ("1e-6", 1e-6),
        ("1_000", 1000),
        ("0x1F", 31),
        ("007", "007"),
        ("010", "010"),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("on", True),
        ("~", None),
        ("'5'", "5"),
    ],
)
def test_a_scalar_is_a_number_only_where_everybody_reads_a_number(text, value):
    assert plain(parse_document(f"a: {text}\n", "f.yaml").tree) == {"a": value}


def test_a_key_written_twice_is_refused_with_both_lines(shared):
    document = read_document(shared / "bug_files" / "invented" / "dup_keys.yaml", "dup_keys.yaml")
    [problem] = document.problems
    assert (problem.key, problem.origin) == ("budget", "dup_keys.yaml:3:1")
    assert "line 1" in problem.what


def test_merge_keys_work():
    tree = parse_document("base: &b {k: 1, l: 2}\nuser: {<<: *b, l: 3}\n", "f.yaml").tree
    assert plain(tree)["user"] == {"k": 1, "l": 3}


@pytest.mark.parametrize(
    ("key", "read_as"), [("on", "true or false"), ("NO", "true or false"), ("3", "a number")]
)
def test_a_key_that_is_not_text_must_be_quoted(key, read_as):
    [(where, origin, what)] = mistakes(f"a:\n  {key}: 5\n")
    assert (where, origin) == (f"a.{key}", "f.yaml:2:3")
    assert read_as in what


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a:\n\tb: 1\n", "f.yaml:2:1"),
        ("a: [1\nb: 2", "f.yaml:2:2"),
        ("- a\n", "f.yaml:1:1"),
        ("a: b: c\n", "f.yaml:1:5"),
    ],
)
def test_a_syntax_error_names_file_line_and_column(text, place):
    [(_, origin, _)] = mistakes(text)
    assert origin == place


def test_a_file_that_is_not_utf8_says_where(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_bytes(b"a: b\nc: \xff\n")
    assert [problem.origin for problem in read_document(path, "f.yaml").problems] == ["f.yaml:2:4"]


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path):
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert plain(read_document(path, "f.yaml").tree) == {"a": 1}


def test_a_merge_key_that_merges_nothing_is_refused():
    [(key, _, what)] = mistakes("a: {<<: 1}\n")
    assert key == "a"
    assert "<<" in what


def test_a_tag_that_makes_an_object_is_refused():
    [(key, _, what)] = mistakes("a: !!python/name:os.system x\n")
    assert key == "a"
    assert "not allowed" in what


@pytest.mark.parametrize("text", ["[" * 3000, "a: &x [*x]\n"])
def test_a_file_without_an_end_is_refused(text):
    assert len(mistakes(text)) == 1


def test_aliases_do_not_grow_without_bound():
    lines = ["l0: &l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 9)]
    [(_, _, what)] = mistakes("\n".join(lines))
    assert str(MAX_NODES) in what


def test_wrong_entries_of_a_defaults_list_are_reported_together():
    assert (
        len(mistakes("defaults:\n  - {a: 1, b: 2}\n  - [x]\n  - seed: label\n  - null\n  - '@b': c\n")) == 4
    )


def test_an_option_keeps_its_characters():
    document = parse_document("defaults: [{graph: 007}]\n", "f.yaml")
    assert document.defaults is not None
    assert document.defaults[0].text == {"graph": "007"}
