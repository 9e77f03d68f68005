"""BERT in numpy: from token numbers to the mean of the last layer.

Source: Devlin et al. 2019, "BERT", with the mean over tokens of Reimers and Gurevych 2019, "Sentence-BERT".
Texts stand one behind the other without padding, so that only the attention has to know where one ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphrag_minilm.files import Shape

Floats: TypeAlias = NDArray[np.float32]
F = np.float32

# Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26, halved: ½ erfc(z), wrong by 1e-7 at most.
ERFC_STEP = F(0.3275911)
ERFC = tuple(
    F(0.5 * factor) for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
)
BLOCK = 32
"""Rows of the widest layer that fit into a processor's nearer memory with three more of their size."""


@dataclass(frozen=True, slots=True)
class Dense:
    """A linear layer: ``x @ weight + bias``."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Return the next layer's input for each row."""
        out = x @ self.weight
        out += self.bias
        return out


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation."""

    gain: Floats
    bias: Floats
    epsilon: float

    def apply(self, x: Floats) -> None:
        """Normalise each row, in place."""
        x -= x.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", x, x) / F(x.shape[1])
        x *= (1 / np.sqrt(spread + F(self.epsilon)))[:, None]
        x *= self.gain
        x += self.bias


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: attention, then two linear layers with a bend between them."""

    attention: Dense
    attended: Dense
    attended_norm: Norm
    inner: Dense
    outer: Dense
    outer_norm: Norm


class Bert:
    """An encoder.

    Args:
        tensors: The weights, named as Hugging Face names those of a ``BertModel``.
        shape: The sizes that they do not tell.
    """

    def __init__(self, tensors: Mapping[str, Floats], shape: Shape) -> None:
        names = "embeddings.{}_embeddings.weight"
        self._word = tensors[names.format("word")].astype(F)
        # Every token is of type 0, so its vector can be added to those of the positions for good.
        first_type = tensors[names.format("token_type")][0]
        self._position = (tensors[names.format("position")] + first_type).astype(F)
        self._norm = _norm(tensors, "embeddings.LayerNorm", shape)
        self._layers = [_layer(tensors, f"encoder.layer.{number}", shape) for number in range(shape.layers)]
        self._heads = shape.heads

    @property
    def width(self) -> int:
        """Length of a vector."""
        return int(self._word.shape[1])

    @property
    def longest(self) -> int:
        """Most tokens of a text."""
        return len(self._position)

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return one row per text: the mean over its tokens.

        Args:
            texts: Token numbers of each text, at least one, shorter texts first.
        """
        sizes = np.array([len(text) for text in texts])
        start = np.cumsum(sizes) - sizes
        place = np.arange(sizes.sum()) - np.repeat(start, sizes)
        x = self._word[np.concatenate([np.asarray(text) for text in texts])]
        x += self._position[place]
        self._norm.apply(x)
        for layer in self._layers:
            x += layer.attended(self._attend(layer.attention(x), sizes))
            layer.attended_norm.apply(x)
            inner = layer.inner(x)
            gelu(inner)
            x += layer.outer(inner)
            layer.outer_norm.apply(x)
        total: Floats = np.add.reduceat(x, start, axis=0)
        total /= sizes[:, None].astype(F)
        return total

    def _attend(self, mixed: Floats, sizes: NDArray[np.int64]) -> Floats:
        """Let the tokens of each text look at each other."""
        width = mixed.shape[1] // 3
        out = np.empty((len(mixed), width), dtype=F)
        for rows, size in _runs(sizes):
            parts = mixed[rows].reshape(-1, size, 3, self._heads, width // self._heads)
            query, key, value = parts.transpose(2, 0, 3, 1, 4)
            share = query @ key.swapaxes(-1, -2)
            share -= share.max(axis=-1, keepdims=True)
            np.exp(share, out=share)
            share /= share.sum(axis=-1, keepdims=True)
            out[rows] = (share @ value).swapaxes(1, 2).reshape(-1, width)
        return out


def gelu(x: Floats) -> None:
    """Multiply each number by the share of a normal distribution below it, in place: x · Φ(x)."""
    room = [np.empty((BLOCK, x.shape[1]), dtype=F) for _ in range(3)]
    for start in range(0, len(x), BLOCK):
        block = x[start : start + BLOCK]
        z, step, tail = (array[: len(block)] for array in room)
        np.abs(block, out=z)
        z *= F(0.5**0.5)
        np.multiply(z, ERFC_STEP, out=step)
        step += F(1)
        np.reciprocal(step, out=step)
        np.multiply(step, ERFC[0], out=tail)
        for factor in ERFC[1:]:
            tail += factor
            tail *= step
        np.multiply(z, z, out=z)
        np.negative(z, out=z)
        np.exp(z, out=z)
        tail *= z
        # x · Φ(x) is x - x · tail above 0 and x · tail below.
        tail *= np.abs(block, out=step)
        np.maximum(block, F(0), out=block)
        block -= tail


def _runs(sizes: NDArray[np.int64]) -> Iterator[tuple[slice, int]]:
    """Yield the rows of texts of one size that stand together, and that size."""
    start = 0
    for size, run in groupby(sizes.tolist()):
        end = start + size * len(list(run))
        yield slice(start, end), size
        start = end


def _norm(tensors: Mapping[str, Floats], name: str, shape: Shape) -> Norm:
    return Norm(tensors[f"{name}.weight"].astype(F), tensors[f"{name}.bias"].astype(F), shape.epsilon)


def _dense(tensors: Mapping[str, Floats], *names: str) -> Dense:
    weight = np.concatenate([tensors[f"{name}.weight"] for name in names]).astype(F)
    bias = np.concatenate([tensors[f"{name}.bias"] for name in names]).astype(F)
    return Dense(np.ascontiguousarray(weight.T), bias)


def _layer(tensors: Mapping[str, Floats], name: str, shape: Shape) -> Layer:
    inside = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    attention = _dense(tensors, *inside)
    width = attention.weight.shape[1] // 3
    # A query is divided by the root of its length; that can be done to what makes queries.
    scale = F((width // shape.heads) ** -0.5)
    attention.weight[:, :width] *= scale
    attention.bias[:width] *= scale
    return Layer(
        attention,
        _dense(tensors, f"{name}.attention.output.dense"),
        _norm(tensors, f"{name}.attention.output.LayerNorm", shape),
        _dense(tensors, f"{name}.intermediate.dense"),
        _dense(tensors, f"{name}.output.dense"),
        _norm(tensors, f"{name}.output.LayerNorm", shape),
    )
