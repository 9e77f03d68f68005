from __future__ import annotations

from xml.dom.minidom import parseString

from graphrag_pipeline import GraphIndex
from graphrag_pipeline.graph.matrix import matrix_html, matrix_of, matrix_svg
from tests.tiny import index_of, node

INDEX = GraphIndex.from_records(
    [
        node("a", zachman_cell="architect:who"),
        node("b", zachman_cell="architect:who"),
        node("c", zachman_cell="enterprise:why"),
        node("d", zachman_cell="engineer"),
        node("e"),
        node("f", zachman_cell="nowhere"),
    ]
)


def test_nodes_are_counted_by_cell_row_and_none():
    found = matrix_of(INDEX)
    assert {cell: count for cell, count in found.by_cell().items() if count} == {
        "architect:who": 2,
        "enterprise:why": 1,
    }
    assert found.row_only == (0, 0, 0, 1, 0, 0)
    assert (found.filled, found.without) == (2, 2)
    assert found.rows == {
        "executive": 0,
        "business_mgmt": 0,
        "architect": 2,
        "engineer": 1,
        "technician": 0,
        "enterprise": 1,
    }


def test_a_floor_names_the_rows_or_cells_below_it():
    found = matrix_of(INDEX)
    assert found.below(1) == {"executive": 0, "business_mgmt": 0, "technician": 0}
    assert found.below(2) == {
        "executive": 0,
        "business_mgmt": 0,
        "engineer": 1,
        "technician": 0,
        "enterprise": 1,
    }
    assert len(found.below(1, cells=True)) == 34
    assert found.below(0) == {}


def test_the_empty_graph_has_an_empty_matrix():
    found = matrix_of(index_of())
    assert (sum(found.rows.values()), found.filled, found.without) == (0, 0, 0)
    parseString(matrix_svg(found, "nothing"))


def test_the_image_is_well_formed_and_shows_every_count():
    title = '<script>alert("x")</script> & \x07 é'
    image = parseString(matrix_svg(matrix_of(INDEX), title))
    texts = [element.firstChild.data for element in image.getElementsByTagName("text")]  # type: ignore[union-attr]
    assert texts[0] == '<script>alert("x")</script> &   é'
    assert sorted(text for text in texts if text.isdigit()) == sorted(["0"] * 34 + ["2", "1"])
    assert texts[-1] == "2 of 36 cells hold a node; with a row only: 1; without a cell: 2"


def test_the_page_loads_nothing_and_has_the_counts_as_a_table():
    page = matrix_html(matrix_of(INDEX), "<b>")
    assert "default-src 'none'" in page
    assert "<b>" not in page
    assert "http://www.w3.org/2000/svg" in page.replace("src=", "")
    assert '<tr><th scope="row">architect</th><td>0</td><td>0</td><td>0</td><td>2</td>' in page
    assert "href" not in page
