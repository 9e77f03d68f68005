"""The Markdown document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.stages.context.markdown import Markdown, MarkdownParams
from graphrag_pipeline.stages.context.neutral import markdown as as_words
from tests.stages.context.scored import ranked, written
from tests.tiny import edge, node


def markdown(nodes: Any, edges: Any = (), budget: int = 10_000, **params: Any) -> Any:
    return written(Markdown(MarkdownParams(**params)), *ranked(nodes, edges), budget)


def test_a_node_is_a_heading_with_its_facts_edges_and_text_below():
    nodes = [
        node("a", "Ann"),
        node("b", "Bob", zachman_cell="architect:who", age=7, tags=["x", "y"], text="Bob sails.\n\nOften."),
    ]
    text = markdown(
        nodes, [edge("a>b", "knows")], level=3, properties=("age", "tags", "none"), text=True
    ).text
    assert text == (
        "### Ann\n\n- type: concept\n- id: a\n\n"
        "### Bob\n\n- type: concept\n- id: b\n- cell: architect:who\n- age: 7\n"
        '- tags: \\["x", "y"\\]\n- Ann → knows → Bob\n\n> Bob sails.\n> Often.'
    )


def test_what_is_not_wanted_is_not_written():
    nodes = [node("a", "Ann", text="x"), node("b", "Bob")]
    assert markdown(nodes, [edge("a>b")], ids=False, relations=0, header="Known").text == (
        "Known\n\n## Ann\n\n- type: concept\n\n## Bob\n\n- type: concept"
    )


def test_case_82_type_and_direction_of_an_edge_are_written():
    for nodes in ([node("a"), node("b")], [node("b"), node("a")]):
        assert "- a → supplies → b" in markdown(nodes, [edge("a>b", "supplies")]).text


def test_a_row_alone_is_a_cell_and_an_unreadable_one_none():
    nodes = [node("a", zachman_cell="architect"), node("b", zachman_cell="nowhere:who")]
    assert (
        markdown(nodes, ids=False).text
        == "## a\n\n- type: concept\n- cell: architect\n\n## b\n\n- type: concept"
    )


SLY = [
    "# Heading",
    "x\n# Heading",
    "x\n===",
    "- item",
    "1. item",
    "1) item",
    "> quote",
    "```\ncode",
    "<!-- x",
    "<h2>x</h2>",
    "[x](http://e.example)",
    "[x]: http://e.example",
    "a | b\n--|--",
    "***",
    "---",
    "+ x",
    "= x",
    "\\",
    "# x #",
    "\u2028# x",
    "",
]


@pytest.mark.parametrize("sly", SLY)
def test_text_of_the_graph_makes_no_structure(sly: str):
    assert structure(sly, text=sly) == EXPECTED


@given(st.text(alphabet="# \n-+=*>`~[]()<!|_\\&1.:a\t\r", max_size=12))
def test_no_text_makes_structure(sly: str):
    assert structure(sly, text=sly) == EXPECTED


EXPECTED = ["h2", "list", "item", "item", "h2", "list", "item", "item"]
"""Two headings, and below each its type and one more fact."""
INLINE = ("link_open", "image", "html_inline", "code_inline")


def structure(sly: str, text: str) -> list[str]:
    """Headings, lists, rules, code, tables, links and HTML that a parser finds outside quotations."""
    module = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")
    nodes = [
        KnowledgeNode("a", sly, sly, properties={"p": sly, "text": text}),
        KnowledgeNode("b", sly, sly, properties={"text": text}),
    ]
    edges = [KnowledgeEdge("a", "b", sly)]
    document = markdown(nodes, edges, text=True, properties=("p",), ids=False).text
    found, quoted = [], 0
    for token in module.MarkdownIt("commonmark").enable("table").parse(document):
        quoted += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if not quoted:
            found += [child.type for child in token.children or () if child.type in INLINE]
        if quoted or token.nesting < 0 or token.type in ("inline", "paragraph_open", "blockquote_open"):
            continue
        names = {"heading_open": token.tag, "bullet_list_open": "list", "list_item_open": "item"}
        found.append(names.get(token.type, token.type))
    return found


def test_a_fence_of_tildes_and_an_entity_are_words():
    for label in ("~~~ q", "~~s~~", "&lt;b&gt;"):
        assert label not in as_words(label)
        assert as_words(label).replace("\\", "") == label
