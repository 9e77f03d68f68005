"""The computation, against one that is written as the papers have it: token by token, head by head."""

from __future__ import annotations

import math

import numpy as np
import pytest
from graphrag_minilm.bert import Bert, gelu
from graphrag_minilm.files import Shape

WIDTH, HEADS, LAYERS, EPSILON = 8, 2, 2, 1e-12


class ByTheBook:
    """A model that is computed in the plainest way."""

    def __init__(self, tensors):
        self.tensors = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def normed(self, x, name):
        spread = ((x - x.mean()) ** 2).mean()
        scaled = (x - x.mean()) / math.sqrt(spread + EPSILON)
        return scaled * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def linear(self, x, name):
        return self.tensors[f"{name}.weight"] @ x + self.tensors[f"{name}.bias"]

    def first(self, place, token):
        names = "embeddings.{}_embeddings.weight"
        rows = {"word": token, "position": place, "token_type": 0}
        total = sum(self.tensors[names.format(name)][row] for name, row in rows.items())
        return self.normed(total, "embeddings.LayerNorm")

    def attended(self, states, place, layer):
        size = WIDTH // HEADS
        query, key, value = (
            [self.linear(state, f"{layer}.attention.self.{part}") for state in states]
            for part in ("query", "key", "value")
        )
        heads = []
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            weights = [math.exp(query[place][part] @ other[part] / math.sqrt(size)) for other in key]
            mixed = sum(weight * other[part] for weight, other in zip(weights, value, strict=True))
            heads.append(mixed / sum(weights))
        return self.linear(np.concatenate(heads), f"{layer}.attention.output.dense")

    def encode(self, tokens):
        states = [self.first(place, token) for place, token in enumerate(tokens)]
        for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
            after = []
            for place, before in enumerate(states):
                state = self.normed(
                    before + self.attended(states, place, layer), f"{layer}.attention.output.LayerNorm"
                )
                inner = self.linear(state, f"{layer}.intermediate.dense")
                bent = np.array([x * 0.5 * (1 + math.erf(x / math.sqrt(2))) for x in inner])
                outer = self.linear(bent, f"{layer}.output.dense")
                after.append(self.normed(state + outer, f"{layer}.output.LayerNorm"))
            states = after
        return np.mean(states, axis=0).tolist()


@pytest.fixture(scope="module")
def book(tensors) -> ByTheBook:
    return ByTheBook(tensors)


@pytest.fixture(scope="module")
def bert(tensors) -> Bert:
    return Bert(tensors, Shape(LAYERS, HEADS, EPSILON))


@pytest.mark.parametrize("tokens", [[2, 4, 3], [2, 3], [2], [2, 4, 8, 6, 7, 5, 4, 1, 3]])
def test_one_text(bert, book, tokens):
    assert bert.encode([tokens])[0].tolist() == pytest.approx(book.encode(tokens), abs=1e-4)


def test_several_texts_at_once(bert, book):
    texts = [[2, 3], [2, 4, 3], [2, 5, 3], [2, 6, 3], [2, 4, 8, 5, 3]]
    together = bert.encode(texts)
    assert together.dtype == np.float32
    for row, tokens in zip(together, texts, strict=True):
        assert row.tolist() == pytest.approx(book.encode(tokens), abs=1e-4)


def test_it_tells_its_sizes(bert):
    assert (bert.width, bert.longest) == (WIDTH, 10)


def test_the_bend_is_that_of_the_normal_distribution():
    x = np.linspace(-9, 9, 40 * 500).reshape(-1, 500).astype(np.float32)
    expected = [value * 0.5 * math.erfc(-value / math.sqrt(2)) for value in x.ravel().tolist()]
    gelu(x)
    assert np.abs(x.ravel() - expected).max() < 1e-6


def test_the_bend_of_large_numbers_is_themselves_or_0():
    x = np.array([[-1e4, -100, 0, 100, 1e4]], dtype=np.float32)
    gelu(x)
    assert x.tolist() == [[0.0, 0.0, 0.0, 100.0, 1e4]]
