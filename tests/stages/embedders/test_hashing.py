from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from pydantic import ValidationError

from graphrag_pipeline.stages.embedders import hashing
from graphrag_pipeline.stages.embedders.hashing import Hashing, HashingParams


def vector(text: str, **params) -> np.ndarray:
    row: np.ndarray = Hashing(HashingParams(**params)).embed([text])[0]
    return row


def cosine(one: str, other: str, **params) -> float:
    a, b = vector(one, **params), vector(other, **params)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def place_and_sign(feature: str, dim: int) -> tuple[int, int]:
    code = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "little")
    return (code >> 1) % dim, 1 if code & 1 else -1


def test_a_word_is_one_place_with_a_sign():
    place, sign = place_and_sign("word ship", 64)
    expected = np.zeros(64)
    expected[place] = sign
    assert (vector("ship", dim=64, parts=0) == expected).all()
    # The stem is what is hashed, and stop words are not.
    assert (vector("The SHIPS", dim=64, parts=0) == expected).all()


def test_a_word_that_comes_again_counts_by_its_logarithm():
    once, thrice = vector("ship", parts=0), vector("Ship, ship and ship", parts=0)
    assert thrice.tolist() == pytest.approx((once * (1 + math.log(3))).tolist())


def test_the_parts_of_a_word_share_their_weight():
    # <abc> has the parts <ab, abc, bc> of three characters, and <abc, abc> of four.
    expected = np.zeros(4096)
    place, sign = place_and_sign("word abc", 4096)
    expected[place] += sign
    for part in ("<ab", "abc", "bc>", "<abc", "abc>"):
        place, sign = place_and_sign(f"part {part}", 4096)
        expected[place] += sign * 0.5 / 5**0.5
    assert vector("abc", dim=4096, longest=4).tolist() == pytest.approx(expected.tolist())


def test_words_of_one_form_are_alike_without_being_equal():
    assert cosine("harbour", "harbours", parts=0) == pytest.approx(1)
    assert 0.03 < cosine("harbourmaster", "harbour", dim=4096) < 0.9
    assert cosine("harbour", "crane", dim=4096, parts=0) == 0


@pytest.mark.parametrize("text", ["", "the of and", "— … !", "\u200b"])
def test_a_text_without_a_word_that_counts_is_zeros(text):
    assert not vector(text).any()


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "STRASSE"), ("Łódź", "lodz"), ("caf\u00e9", "cafe\u0301"), ("ΣΑΣ", "σας"), ("ﬁre", "fire")],
)
def test_spellings_of_one_word_have_one_vector(one, other):
    assert (vector(one) == vector(other)).all()


def test_text_without_blanks_between_words_is_read_in_pairs():
    assert 0.1 < cosine("北条の港", "港の北条", parts=0) < 1
    assert cosine("北条の港", "南極大陸", parts=0, dim=4096) == 0


def test_dates_meet_however_they_are_written():
    assert cosine("2026-07-03", "July 3rd", parts=0, dim=4096) > 0.3


def test_a_text_has_the_same_vector_in_any_company():
    texts = ["A ship", "", "the port of Łódź", "ship", "北条"]
    together = Hashing().embed(texts)
    assert together.shape == (5, 1024)
    assert (together == np.stack([vector(text) for text in texts])).all()
    assert (together == Hashing().embed(texts[::-1])[::-1]).all()


def test_hash_seeds_and_processes_change_nothing():
    code = (
        "import hashlib; from graphrag_pipeline.stages.embedders.hashing import Hashing\n"
        "print(hashlib.sha256(Hashing().embed(['The port of Łódź, 3 July', '北条']).tobytes()).hexdigest())"
    )
    environ = {**os.environ, "PYTHONHASHSEED": "42", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True
    )
    here = Hashing().embed(["The port of Łódź, 3 July", "北条"])
    assert done.stdout.strip() == hashlib.sha256(here.tobytes()).hexdigest()


def test_a_full_memory_changes_nothing(monkeypatch):
    before = vector("a ship in the port")
    monkeypatch.setattr(hashing, "MEMO", 0)
    assert (vector("a ship in the port") == before).all()


def test_the_fingerprint_tells_parameters_apart():
    prints = {Hashing(HashingParams(**given)).fingerprint() for given in ({}, {"dim": 64}, {"parts": 0.0})}
    assert len(prints) == 3
    assert Hashing().fingerprint() == Hashing().fingerprint()


@pytest.mark.parametrize(
    "given",
    [{"dim": 7}, {"dim": 2**20}, {"parts": -0.1}, {"parts": float("nan")}, {"shortest": 4, "longest": 3}],
)
def test_parameters_have_bounds(given):
    with pytest.raises(ValidationError):
        HashingParams(**given)
