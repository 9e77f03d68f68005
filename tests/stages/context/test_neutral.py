"""Text that cannot pass for structure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline.stages.context.neutral import indented, markdown_item, name, one_line, unmarked


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("  two  words ", "two words"),
        ("a\r\n\tb\u2028c\x85d\x00e\x1bf", "a b c d e f"),
        ("a\u00a0b\u3000c", "a b c"),
        ("\n", ""),
        ("港の倉庫", "港の倉庫"),
    ],
)
def test_a_text_becomes_one_line(text, line):
    assert one_line(text) == line


@given(st.text())
def test_one_line_is_one_line_and_stays_so(text: str):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line


@given(st.text(alphabet="-[]\\> a"))
def test_marks_get_a_backslash_and_can_be_read_back(text: str):
    marked = unmarked(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*(?:-\[|\]-)", marked)
    assert re.sub(r"\\(.)", r"\1", marked) == one_line(text)


@given(st.text(), st.sampled_from(["  ", "> "]))
def test_every_line_stands_behind_its_indent(text: str, by: str):
    lines = indented(text, by).splitlines()
    assert all(line.startswith(by) and line[len(by) :].strip() for line in lines)
    assert re.sub(r"\s", "", "".join(line[len(by) :] for line in lines)) == re.sub(
        r"[\s\x00-\x1f\x7f-\x9f]", "", text
    )


def test_a_name_is_the_label_or_the_id():
    assert name(" Ann\n", "a") == "Ann"
    assert name("\n", "a b") == "a b"
    assert name("", "\n") == "?"


@pytest.mark.parametrize(
    ("text", "item"),
    [("- x", "\\- x"), ("12. x", "12\\. x"), ("3) x", "3\\) x"), ("1911", "1911"), ("x - y", "x - y")],
)
def test_an_item_starts_no_list_of_its_own(text, item):
    assert markdown_item(text) == item
