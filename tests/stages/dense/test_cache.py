from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from graphrag_pipeline.stages.dense.cache import DRAFT, VectorCache, vector_directory
from graphrag_pipeline.stages.dense.vectors import NodeVectors

DIGEST = "0123456789abcdef" * 4
VECTORS = NodeVectors(
    np.array([[1, 0], [0.6, 0.8]], dtype=np.float32), np.array([0, 1, -1, 0], dtype=np.int32)
)


@pytest.fixture
def cache(tmp_path) -> VectorCache:
    return VectorCache(tmp_path / "deep" / "vectors")


def file_of(tmp_path: Path) -> Path:
    [path] = (tmp_path / "deep" / "vectors").iterdir()
    return path


def test_what_was_kept_is_found(cache):
    assert cache.find(DIGEST, 4) is None
    cache.keep(DIGEST, VECTORS)
    found = cache.find(DIGEST, 4)
    assert found is not None
    assert found.unit.dtype == np.float32
    assert (found.unit == VECTORS.unit).all()
    assert found.row.tolist() == [0, 1, -1, 0]
    assert cache.find(DIGEST[::-1], 4) is None


def test_a_graph_without_texts_can_be_kept(cache):
    cache.keep(DIGEST, NodeVectors(np.zeros((0, 0), dtype=np.float32), np.full(3, -1, dtype=np.int32)))
    found = cache.find(DIGEST, 3)
    assert found is not None
    assert (found.unit.shape, found.row.tolist()) == ((0, 0), [-1, -1, -1])


def test_the_same_vectors_give_the_same_file(cache, tmp_path):
    cache.keep(DIGEST, VECTORS)
    before = file_of(tmp_path).read_bytes()
    cache.keep(DIGEST, VECTORS)
    assert file_of(tmp_path).read_bytes() == before


def broken(path: Path, how: str) -> None:
    content = path.read_bytes()
    at = content.index(np.float32(0.6).tobytes())
    damaged = {
        "empty": b"",
        "cut short": content[: len(content) // 2],
        "without its end": content[:-30],
        "one bit": content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :],
        "a text": b"not vectors at all",
        "a pickle": pickle.dumps({"unit": [1.0]}),
        "zeros": bytes(len(content)),
        "a bit in each byte": bytes(byte ^ 16 for byte in content),
    }
    path.write_bytes(damaged[how])


@pytest.mark.parametrize(
    "how",
    [
        "empty",
        "cut short",
        "without its end",
        "one bit",
        "a text",
        "a pickle",
        "zeros",
        "a bit in each byte",
    ],
)
def test_a_broken_file_is_of_no_use_and_is_replaced(cache, tmp_path, caplog, how):
    cache.keep(DIGEST, VECTORS)
    broken(file_of(tmp_path), how)
    assert cache.find(DIGEST, 4) is None
    assert "Kept vectors are of no use, they are computed anew." in caplog.text
    cache.keep(DIGEST, VECTORS)
    assert cache.find(DIGEST, 4) is not None


def test_no_byte_can_change_unnoticed(cache, tmp_path):
    cache.keep(DIGEST, VECTORS)
    path = file_of(tmp_path)
    content = path.read_bytes()
    for at in range(0, len(content), 11):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        found = cache.find(DIGEST, 4)
        assert found is None or ((found.unit == VECTORS.unit).all() and (found.row == VECTORS.row).all())


@pytest.mark.parametrize(
    ("unit", "row"),
    [
        (VECTORS.unit.astype(np.float64), VECTORS.row),
        (VECTORS.unit[0], VECTORS.row),
        (VECTORS.unit, VECTORS.row[:3]),
        (VECTORS.unit, VECTORS.row.astype(np.int64)),
        (VECTORS.unit, VECTORS.row + 1),
        (VECTORS.unit, VECTORS.row - 1),
        (VECTORS.unit * np.float32(np.nan), VECTORS.row),
    ],
)
def test_arrays_that_do_not_fit_are_of_no_use(cache, unit, row, caplog):
    cache.keep(DIGEST, NodeVectors(unit, row))
    assert cache.find(DIGEST, 4) is None
    assert "it holds something else" in caplog.text


def test_where_nothing_can_be_written_a_warning_is_all(tmp_path, caplog):
    (tmp_path / "taken").write_text("a file")
    cache = VectorCache(tmp_path / "taken")
    cache.keep(DIGEST, VECTORS)
    assert "The vectors are not kept; cache_dir=null ends this." in caplog.text
    assert cache.find(DIGEST, 4) is None


def test_drafts_of_processes_that_died_are_removed_and_those_of_others_stay(cache, tmp_path):
    folder = tmp_path / "deep" / "vectors"
    folder.mkdir(parents=True)
    old, new = folder / f"{DRAFT}old", folder / f"{DRAFT}new"
    for draft in (old, new):
        draft.write_bytes(b"half")
    long_ago = time.time() - 7200
    os.utime(old, (long_ago, long_ago))
    cache.keep(DIGEST, VECTORS)
    assert not old.exists()
    assert new.exists()


def test_two_processes_may_write_and_read_one_file(tmp_path):
    code = (
        "import sys, pathlib, numpy as np\n"
        "from graphrag_pipeline.stages.dense.cache import VectorCache\n"
        "from graphrag_pipeline.stages.dense.vectors import NodeVectors\n"
        "cache = VectorCache(pathlib.Path(sys.argv[1]))\n"
        "unit = np.full((300, 64), 0.125, dtype=np.float32)\n"
        "row = np.arange(300, dtype=np.int32)\n"
        "for _ in range(15):\n"
        "    cache.keep('ab' * 32, NodeVectors(unit, row))\n"
        "    found = cache.find('ab' * 32, 300)\n"
        "    assert found is not None and (found.unit == unit).all()\n"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stderr=subprocess.PIPE) for _ in "ab"
    ]
    assert [process.communicate()[1] for process in both] == [b"", b""]
    assert [process.returncode for process in both] == [0, 0]
    assert len(list(tmp_path.iterdir())) == 1


def test_the_users_directory_is_beside_that_of_the_indexes(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert vector_directory() == tmp_path / "graphrag-pipeline" / "vectors"
