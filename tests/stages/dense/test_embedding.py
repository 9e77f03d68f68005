from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import StageError
from graphrag_pipeline.stages.dense import embedding as module
from graphrag_pipeline.stages.dense.embedding import Embedding
from tests.stages.dense.fake import Letters, letters


class Answering:
    """An embedder with one answer for every call."""

    name = "odd"

    def __init__(self, answer: Any, fingerprint: Any = "1") -> None:
        self.answer = answer
        self.print = fingerprint

    def embed(self, texts):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def fingerprint(self):
        if isinstance(self.print, BaseException):
            raise self.print
        return self.print


def test_rows_have_length_1():
    rows = letters().rows(["aaab", "b"])
    assert rows.dtype == np.float32
    assert rows[0, :2].tolist() == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert rows[1].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]


def test_a_text_that_the_embedder_knows_nothing_of_has_a_row_of_zeros_and_none_as_a_query():
    assert not letters().rows(["xyz"]).any()
    assert letters().row("xyz") is None


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_the_embedder_is_not_asked_about_blank_text(text):
    fake = Letters()
    assert Embedding(fake).row(text) is None
    assert fake.asked == []


def test_no_texts_give_no_rows():
    assert letters().rows([]).shape == (0, 0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([[1.0]], "returned list, not an array of floating-point numbers"),
        (None, "returned NoneType, not an array"),
        (np.ones((1, 2), dtype=np.int64), "returned int64, not an array of floating-point numbers"),
        (np.ones(2), r"returned an array of shape \(2,\) for 1 texts"),
        (np.ones((2, 2)), r"returned an array of shape \(2, 2\) for 1 texts"),
        (np.ones((1, 0)), r"returned an array of shape \(1, 0\) for 1 texts"),
        (np.ones((1, 2, 1)), r"returned an array of shape \(1, 2, 1\) for 1 texts"),
        (np.array([[1.0, np.nan]]), "returned a number that is not finite for the text 'audit'"),
        (np.array([[np.inf, 1.0]]), "returned a number that is not finite"),
        (ValueError("no model"), "failed: ValueError: no model"),
    ],
)
def test_a_faulty_answer_is_refused_with_the_embedders_name(answer, said):
    with pytest.raises(StageError, match=f"The embedder 'odd' {said}"):
        Embedding(Answering(answer)).row("audit")


def test_rows_of_another_size_than_before_are_refused():
    fake = Answering(np.ones((1, 2)))
    embedding = Embedding(fake)
    embedding.row("a")
    fake.answer = np.ones((1, 3))
    with pytest.raises(StageError, match="returned rows of 3 numbers, and of 2 before"):
        embedding.row("b")


@pytest.mark.parametrize("fingerprint", [None, "", 7, ValueError("no file")])
def test_a_fingerprint_must_be_a_text(fingerprint):
    with pytest.raises(StageError, match="The embedder 'odd' "):
        _ = Embedding(Answering(None, fingerprint)).identity


def test_the_identity_tells_who_made_the_vectors_and_with_what():
    assert letters().identity == letters().identity
    assert letters().identity != letters("letters 2").identity
    other = Embedding(Letters(), origin=lambda: ["acme:letters", "1.0"])
    assert other.identity != letters().identity


@pytest.mark.parametrize("size", [1e300, 1e-300, 1e-320])
def test_numbers_of_any_size_have_a_length(size):
    row = Embedding(Answering(np.array([[3 * size, 4 * size]]))).row("a")
    assert row is not None
    assert row.tolist() == pytest.approx([0.6, 0.8], rel=1e-2 if size == 1e-320 else 1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_any_floating_point_type_will_do(dtype):
    row = Embedding(Answering(np.array([[3, 4]], dtype=dtype))).row("a")
    assert row is not None
    assert row.tolist() == pytest.approx([0.6, 0.8])


def test_lone_surrogates_reach_no_embedder():
    fake = Letters()
    Embedding(fake).row("a\ud800b")
    assert fake.asked == ["a?b"]


def test_a_text_is_embedded_once_for_all_stages_of_a_query():
    fake = Letters()
    embedding = Embedding(fake)
    first = embedding.rows(["ab", "cd", "ab"])
    assert fake.asked == ["ab", "cd"]
    assert (embedding.rows(["cd", "ab"]) == first[[1, 0]]).all()
    assert fake.asked == ["ab", "cd"]


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 2)
    fake = Letters()
    embedding = Embedding(fake)
    for text in ("a", "b", "a", "c", "a", "b"):
        embedding.row(text)
    assert fake.asked == ["a", "b", "c", "b"]


def test_many_texts_come_in_chunks_and_are_not_remembered(monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 50)
    fake = Letters()
    embedding = Embedding(fake)
    texts = ["a" * (1 + at % 7) + "b" for at in range(120)]
    rows = embedding.rows(texts)
    assert fake.asked == texts
    assert (rows == np.concatenate([letters().rows([text]) for text in texts])).all()
    embedding.rows(texts)
    assert len(fake.asked) == 240


def test_threads_share_one_embedding_and_the_embedder_gets_one_call_at_a_time():
    busy, met = threading.Lock(), []

    class Single(Letters):
        def embed(self, texts):
            met.append(busy.acquire(blocking=False))
            try:
                return super().embed(texts)
            finally:
                busy.release()

    fake = Single()
    embedding, found = Embedding(fake), []
    threads = [
        threading.Thread(target=lambda at=at: found.append(embedding.rows([f"ab{'c' * (at % 5)}"])))
        for at in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert met == [True] * 5
    assert len(found) == 20
    assert len(fake.asked) == 5
