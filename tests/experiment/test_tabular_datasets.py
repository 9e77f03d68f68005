"""Question sets of AutoRAG and HippoRAG."""

from __future__ import annotations

import json

import pytest

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.hipporag import passage_id
from graphrag_pipeline.experiment.datasets.load import load_dataset
from tests.tiny import index_of, node


def load(path, **rest):
    return load_dataset(DatasetSection(path=str(path), **rest))


@pytest.fixture
def table(tmp_path):
    """Write a Parquet table."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def write(name, **columns):
        parquet.write_table(pyarrow.table(columns), tmp_path / name)
        return tmp_path / name

    return write


def test_autorag_nests_the_gold_and_every_document_in_it_is_relevant(table, tmp_path):
    path = table(
        "qa.parquet",
        qid=["a", "b", "c"],
        query=["one?", "two?", "three?"],
        retrieval_gt=[[["d1", "d2"], ["d3"]], [["d1"]], []],
        generation_gt=[["x"], ["y"], ["z"]],
    )
    table("corpus.parquet", doc_id=["d1", "d2", "d3"], contents=["1", "2", "3"])
    found = load(tmp_path)
    assert [(question.query_id, question.text) for question in found.questions] == [
        ("a", "one?"),
        ("b", "two?"),
        ("c", "three?"),
    ]
    assert found.relevance == {"a": {"d1": 1, "d2": 1, "d3": 1}, "b": {"d1": 1}}
    assert load(path).digest == found.digest
    assert load(path, format="autorag", limit=1).relevance == {"a": found.relevance["a"]}


def test_ids_of_autorag_that_are_numbers_match_nodes_with_that_id(table, tmp_path):
    table("qa.parquet", qid=[1, 2], query=["?", "?"], retrieval_gt=[[[12]], [[13, 12]]])
    found = load(tmp_path)
    judged = judge(found, index_of([node("12"), node("13")]))
    assert judged.relevant == {"1": ("12",), "2": ("13", "12")}
    assert judged.findings.unknown_nodes == ()


def test_gold_of_autorag_that_is_not_in_the_corpus_is_told_whole(table, tmp_path):
    table("qa.parquet", qid=["a", "b"], query=["?", "?"], retrieval_gt=[[["x"]], [["y"], ["z"]]])
    table("corpus.parquet", doc_id=["y"])
    with pytest.raises(DatasetError, match=r"2 gold documents are not in the corpus: 'x' of 'a', 'z' of 'b'"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        (
            {"qid": ["a", "a"], "query": ["?", "?"], "retrieval_gt": [[["x"]], [["x"]]]},
            "1 query id is repeated",
        ),
        ({"qid": ["a", ""], "query": ["?", "?"], "retrieval_gt": [[["x"]], [["x"]]]}, "'qid' must be an id"),
        ({"qid": ["a"], "query": [None], "retrieval_gt": [[["x"]]]}, "'query' must be a text"),
        ({"qid": ["a"], "query": ["?"], "retrieval_gt": [[[1.5]]]}, "'retrieval_gt' must be an id"),
        ({"qid": ["a"], "query": ["?"]}, "no column 'retrieval_gt'"),
        ({"qid": [], "query": [], "retrieval_gt": []}, "no query"),
    ],
)
def test_a_wrong_table_is_told(table, columns, what):
    with pytest.raises(DatasetError, match=what) as caught:
        load(table("qa.parquet", **columns))
    assert "qa.parquet" in caught.value.where


def test_a_damaged_table_and_a_directory_without_one_are_told(tmp_path):
    (tmp_path / "qa.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(DatasetError) as caught:
        load(tmp_path)
    assert "qa.parquet" in caught.value.where
    (tmp_path / "qa.parquet").unlink()
    with pytest.raises(DatasetError):
        load(tmp_path, format="autorag")


PASSAGES = [{"title": "T", "text": "one"}, {"title": "T", "text": "two"}, {"title": "U", "text": "three"}]


@pytest.fixture
def hippo(tmp_path):
    """Write questions and a corpus of HippoRAG."""

    def write(*questions, corpus=PASSAGES):
        (tmp_path / "set.json").write_text(json.dumps(questions), "utf-8")
        (tmp_path / "set_corpus.json").write_text(json.dumps(corpus), "utf-8")
        return tmp_path / "set.json"

    return write


MUSIQUE = {
    "id": "m",
    "question": "?",
    "paragraphs": [
        {"title": "T", "paragraph_text": "two", "is_supporting": True},
        {"title": "U", "paragraph_text": "three", "is_supporting": False},
    ],
}
WIKI = {
    "_id": "w",
    "question": "?",
    "type": "compositional",
    "supporting_facts": [["U", 0]],
    "context": [["U", ["three"]], ["T", ["one"]]],
    "evidences": [["U", "of", "T"]],
}


def test_a_passage_of_hipporag_is_its_title_and_text(hippo):
    found = load(hippo(MUSIQUE, WIKI))
    two, three = passage_id("T", "two"), passage_id("U", "three")
    assert found.relevance == {"m": {two: 1}, "w": {three: 1}}
    assert found.titles == {two: "T", three: "U"}
    assert found.paths == {"w": (("U", "of", "T"),)}
    assert found.questions[1].kind == "compositional"


def test_passages_of_hipporag_are_found_by_id_and_else_by_title(hippo):
    found = load(hippo(MUSIQUE, WIKI))
    by_id = index_of([node(passage_id("T", "one"), "T"), node(passage_id("T", "two"), "T"), node("u", "U")])
    judged = judge(found, by_id)
    assert judged.relevant == {"m": (passage_id("T", "two"),), "w": ("u",)}
    assert judged.findings.ambiguous == ()
    by_title = judge(found, index_of([node("t1", "T"), node("t2", "T")]))
    assert by_title.relevant["m"] == ("t1",)
    assert by_title.findings.ambiguous == ("T",)
    assert by_title.findings.unknown_nodes == (("w", passage_id("U", "three")),)


def test_sets_of_hipporag_that_mark_no_paragraph_take_all(hippo):
    plain = {
        "id": "p",
        "question": "?",
        "paragraphs": [{"title": "T", "text": "one"}, {"title": "U", "text": "three"}],
    }
    marked = {"id": "c", "question": "?", "contexts": [{**PASSAGES[0], "is_supporting": True}]}
    path = hippo(plain, marked)
    found = load(path, format="hipporag")
    assert [len(found.relevance[query]) for query in ("p", "c")] == [2, 1]


def test_without_a_corpus_beside_it_a_set_is_of_titles(hippo, tmp_path):
    path = hippo(MUSIQUE)
    (tmp_path / "set_corpus.json").unlink()
    assert load(path).by_label
    assert load(path, format="hipporag").relevance == {"m": {passage_id("T", "two"): 1}}


def test_sentences_are_joined_as_the_set_has_them(hippo):
    facts = {"_id": "h", "question": "?", "supporting_facts": [["T", 1]]}
    spaced = load(
        hippo({**facts, "context": [["T", ["One.", " Two."]]]}, corpus=[{"title": "T", "text": "x"}])
    )
    plain = load(hippo({**facts, "context": [["T", ["One.", "Two."]]]}, corpus=[{"title": "T", "text": "x"}]))
    assert spaced.relevance == plain.relevance == {"h": {passage_id("T", "One. Two."): 1}}


@pytest.mark.parametrize(
    ("question", "what"),
    [
        (
            {**MUSIQUE, "paragraphs": [{"title": "Z", "text": "z"}]},
            "1 gold passage is not in the corpus: 'Z' of 'm'",
        ),
        ({"id": "x", "question": "?", "paragraphs": [3]}, "no readable"),
        ({"id": "x", "question": "?", "paragraphs": [{"title": "T"}]}, "no readable"),
        (
            {"id": "x", "question": "?", "supporting_facts": [["T", 0]], "context": [["T", "text"]]},
            "no readable",
        ),
    ],
)
def test_a_wrong_entry_of_hipporag_is_told(hippo, question, what):
    with pytest.raises(DatasetError, match=what) as caught:
        load(hippo(question))
    assert "set" in caught.value.where
