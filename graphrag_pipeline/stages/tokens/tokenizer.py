"""Real tokens, by a Hugging Face tokenizer file on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.tokens.optional import encodable, need


class TokenizerParams(Params):
    """Which tokenizer."""

    path: str = Field(min_length=1)
    """The tokenizer's JSON file (``tokenizer.json``), relative to where the command is given."""


class HuggingFaceTokenizer(Component[TokenizerParams]):
    """The tokens that the file's tokenizer makes, without those it would add at the ends.

    Names of special tokens in the text are counted as the text they are, and a limit of length or padding
    that the file sets is ignored. Nothing is downloaded. The count of a text may be less than that of its
    beginning, where a longer word is one token and its beginning two.
    """

    name = "tokenizer"
    Params = TokenizerParams

    def __init__(self, params: TokenizerParams) -> None:
        super().__init__(params)
        self._tokenizer = _load(Path(params.path))

    def count(self, text: str) -> int:
        """Return how many tokens the text is."""
        return len(self._tokenizer.encode(encodable(text), add_special_tokens=False).ids)


def _load(path: Path) -> Any:  # Any: the package is optional
    tokenizers = need("tokenizers", "tokenizers", "tokenizer")
    if not path.is_file():
        raise PluginError(
            "There is no such tokenizer file.",
            where=str(path),
            hint="counter_params.path is a tokenizer.json on this machine; nothing is downloaded.",
        )
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises plain Exception
        raise PluginError(
            f"This is no tokenizer file: {error}.",
            where=str(path),
            hint="It is the JSON that the package tokenizers writes, mostly named tokenizer.json.",
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer
