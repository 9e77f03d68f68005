"""Which cell an artefact belongs to."""

from __future__ import annotations

import itertools
import time

import pytest
from fcc.classification.zachman import _ARTIFACT_KIND_TO_INTERROGATIVE, _PERSONA_PREFIX_TO_PERSPECTIVE
from fcc.classification.zachman import classify as oracle_classify
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import ClassificationTable, GraphSourceError, classify
from graphrag_pipeline.graph.sources.classification_file import load_classification
from graphrag_pipeline.model.classification import REFERENCE_TABLE

KINDS = [*_ARTIFACT_KIND_TO_INTERROGATIVE, "unheard_of", ""]
PREFIXES = [*(prefix for prefix, _ in _PERSONA_PREFIX_TO_PERSPECTIVE), "ZZZ", ""]


def dressed(words: list[str]) -> st.SearchStrategy[str]:
    """Words in any case, cut, with blanks and tails."""
    blank = st.sampled_from(["", " ", "\t", "\n", "\u00a0", "\u3000"])
    tail = st.sampled_from(["", "-001", "s", "é", "ß", "İ"])
    change = st.sampled_from([str, str.upper, str.lower, str.title, str.swapcase])
    return st.builds(
        lambda word, after, shape, left, right: left + shape(word + after) + right,
        st.sampled_from(words),
        tail,
        change,
        blank,
        blank,
    )


def test_every_kind_and_prefix_gives_the_oracles_cell():
    for kind, prefix in itertools.product(KINDS, PREFIXES):
        expected = oracle_classify(kind, f"{prefix}-001").coordinate
        assert classify(kind, f"{prefix}-001").coordinate == expected, (kind, prefix)


@given(kind=dressed(KINDS) | st.text(max_size=8), persona=dressed(PREFIXES) | st.text(max_size=8))
def test_odd_kinds_and_ids_give_the_oracles_cell(kind, persona):
    assert classify(kind, persona).coordinate == oracle_classify(kind, persona).coordinate


def test_an_artefact_without_an_owner_is_the_architects():
    assert classify("workflow").coordinate == "architect:how"


def test_a_table_replaces_the_references():
    table = ClassificationTable.from_dict(
        {"kinds": {"why": ["Risk "]}, "prefixes": {"technician": ["ops"]}, "default": "enterprise:when"}
    )
    assert classify(" risk", "OPS-1", table).coordinate == "technician:why"
    assert classify("workflow", "ENG-1", table).coordinate == "enterprise:when"


def test_prefixes_are_tried_in_the_order_written():
    table = ClassificationTable.from_dict({"prefixes": {"executive": ["A"], "engineer": ["AB"]}})
    assert table.classify("x", "ABC").coordinate == "executive:what"
    table = ClassificationTable.from_dict({"prefixes": {"engineer": ["AB"], "executive": ["A"]}})
    assert table.classify("x", "ABC").coordinate == "engineer:what"


def test_a_yaml_table_is_read_with_every_scalar_as_written(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(
        "kinds: {who: [NO, 007, 2024-01-01], why: [~, yes]}\nprefixes:\n  technician: [NO, 1_000]\n"
        "default: engineer:how\n"
    )
    table = load_classification(path)
    assert [table.classify(kind).interrogative for kind in ("no", "007", "2024-01-01", "~", "yes", "on")] == [
        "who",
        "who",
        "who",
        "why",
        "why",
        "how",
    ]
    assert table.classify("on", "NO-1").perspective == "technician"
    assert table.classify("on", "1_000").perspective == "technician"
    assert table.classify("on", "1000").perspective == "engineer"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "keys kinds, prefixes and default"),
        ("- a\n- b\n", "keys kinds, prefixes and default"),
        ("kind: {}\n", "Unknown: kind"),
        ("kinds: {whom: [a]}\n", "whom"),
        ("kinds: {how: process}\n", "kinds.how must be a list of texts"),
        ("kinds: {how: [[a]]}\n", "kinds.how must be a list of texts"),
        ("kinds: [a]\n", "kinds must map"),
        ("prefixes: {boss: [B]}\n", "boss"),
        ("prefixes: {engineer: {a: b}}\n", "prefixes.engineer must be a list of texts"),
        ("default: architect\n", "row:column"),
        ("default: [architect, what]\n", "row:column"),
        ("kinds: {how: [a\n", "not valid YAML"),
        ("\x00", "not valid YAML"),
        ("[" * 5000, "not valid YAML"),
        ("? [a, b]\n: c\n", "YAML|Unknown"),
    ],
)
def test_a_malformed_table_is_refused_and_the_file_named(tmp_path, text, said):
    path = tmp_path / "table.yaml"
    path.write_text(text)
    with pytest.raises(GraphSourceError, match=said) as error:
        load_classification(path)
    assert str(path) in error.value.where


def test_a_table_in_python_with_wrong_types_is_refused():
    with pytest.raises(GraphSourceError, match=r"kinds\.how must be a list of texts"):
        ClassificationTable.from_dict({"kinds": {"how": [1]}})
    with pytest.raises(GraphSourceError, match="Unknown: 7"):
        ClassificationTable.from_dict({7: {}})


def test_a_table_of_nested_aliases_is_refused_at_once(tmp_path):
    path = tmp_path / "bomb.yaml"
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    path.write_text("\n".join(["a0: &a0 [x]", *levels, "kinds: {how: *a39}"]))
    started = time.process_time()
    with pytest.raises(GraphSourceError, match="Unknown"):
        load_classification(path)
    assert time.process_time() - started < 1


def test_the_reference_table_is_complete():
    assert len(REFERENCE_TABLE.kinds) == len(_ARTIFACT_KIND_TO_INTERROGATIVE)
    assert len(REFERENCE_TABLE.prefixes) == len(_PERSONA_PREFIX_TO_PERSPECTIVE)
