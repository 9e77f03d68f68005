"""Four characters a token, the reference's rule of thumb."""

from __future__ import annotations

from graphrag_pipeline.model.component import Component, Params

CHARS_PER_TOKEN = 4


class Chars4Params(Params):
    """The rule takes no parameters."""


class Chars4(Component[Chars4Params]):
    """A quarter of the characters, rounded up. An estimate: CJK text takes more real tokens than it says."""

    name = "chars4"
    Params = Chars4Params

    def count(self, text: str) -> int:
        """Return the characters of ``text`` over four, rounded up."""
        return -(-len(text) // CHARS_PER_TOKEN)
