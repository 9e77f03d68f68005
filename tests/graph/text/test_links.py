"""Edges that the text of a graph implies."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import GraphIndex, KnowledgeEdge
from graphrag_pipeline.graph.text.links import ABOUT, MENTION, SAME_NAME, LinkSettings
from tests.tiny import index_of, node

ALL = LinkSettings(mention=True, same_name=True, about=True)


def links(index: GraphIndex, settings: LinkSettings = ALL) -> list[tuple[str, str, str]]:
    added = index.linked(settings).all_edges()[index.edge_count :]
    return [edge.key for edge in added]


def library() -> GraphIndex:
    return index_of(
        [
            node("p", "Reo Fortune", text="Reo Fortune married Margaret Mead in Sydney."),
            node("e", "Reo Fortune"),
            node("m", "Margaret Mead"),
            node("s", "Sydney"),
            node("x", "married"),
        ]
    )


def test_texts_things_and_mentions_are_joined():
    assert links(library()) == [("p", "e", ABOUT), ("p", "m", MENTION), ("p", "s", MENTION)]


def test_a_mention_holds_how_early_it_stands():
    edges = {edge.target_id: edge for edge in library().linked(ALL).all_edges()}
    # The third and the sixth word of the text.
    assert edges["m"].properties == {"salience": round(1 / (1 + 3 / 40), 6)}
    assert edges["s"].properties == {"salience": round(1 / (1 + 6 / 40), 6)}


def test_each_kind_is_switched_by_itself():
    assert links(library(), LinkSettings()) == []
    assert links(library(), LinkSettings(about=True)) == [("p", "e", ABOUT)]
    assert [key[2] for key in links(library(), LinkSettings(same_name=True))] == [SAME_NAME]
    assert library().linked(LinkSettings()).digest == library().digest


def test_nodes_that_are_next_to_each_other_get_no_link():
    index = index_of(
        [node("p", "P", text="About Margaret Mead."), node("m", "Margaret Mead")],
        [KnowledgeEdge("m", "p", "in")],
    )
    assert links(index) == []


def test_a_name_of_too_many_nodes_or_texts_is_no_mention():
    shared = index_of([node("p", "P", text="In Paris."), *(node(f"n{n}", "Paris") for n in range(6))])
    assert links(shared) == []
    common = index_of([*(node(f"p{n}", f"P{n}", text="In Paris.") for n in range(4)), node("n", "Paris")])
    assert len(links(common)) == 4
    assert links(common, LinkSettings(mention=True, max_texts=3)) == []


def test_a_single_word_in_lower_case_is_no_mention_and_a_name_of_two_is():
    index = index_of(
        [node("p", "P", text="he saw red tape and paris"), node("a", "Red Tape"), node("b", "Paris")]
    )
    assert links(index) == [("p", "a", MENTION)]


def test_names_within_names_are_mentions_too():
    index = index_of(
        [
            node("p", "P", text="The University of Sydney."),
            node("u", "University of Sydney"),
            node("s", "Sydney"),
        ]
    )
    assert [key[1] for key in links(index)] == ["u", "s"]


def test_same_names_of_one_word_or_of_many_nodes_join_nothing():
    assert links(index_of([node("a", "Paris"), node("b", "Paris")])) == []
    four = index_of([node(f"n{n}", "New York") for n in range(4)])
    assert links(four) == []
    three = index_of([node(f"n{n}", "New York") for n in range(3)])
    assert [key[:2] for key in links(three)] == [("n0", "n1"), ("n0", "n2"), ("n1", "n2")]


def test_links_are_counted():
    assert library().linked(ALL).edge_types() == {MENTION: 2, ABOUT: 1}


def test_salience_is_known_of_edges_that_were_there():
    index = index_of(
        [node("p", "P", text="x " * 40 + "Sydney"), node("s", "Sydney"), node("t", "Thing")],
        [KnowledgeEdge("p", "s", "mentions"), KnowledgeEdge("p", "t", "mentions")],
    )
    assert index.text.salience.tolist() == [0.5, 1.0]


def test_the_graphs_own_nodes_and_edges_stay_as_they_are():
    index = library()
    linked = index.linked(ALL)
    assert linked.all_nodes() == index.all_nodes()
    assert linked.text.postings is index.text.postings
    assert np.array_equal(linked.text.salience, linked.text.salience)
    assert linked.digest == library().linked(ALL).digest


def test_an_empty_graph_has_no_links():
    assert links(index_of()) == []
