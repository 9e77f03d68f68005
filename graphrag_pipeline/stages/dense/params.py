"""Parameters that dense seeds and the dense signal share."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from graphrag_pipeline.graph.text.fields import Field as TextField
from graphrag_pipeline.stages.dense.cache import VectorCache, vector_directory
from graphrag_pipeline.stages.dense.texts import Nodes, TextChoice
from graphrag_pipeline.stages.embedders.contract import EmbedderParams


class DenseParams(EmbedderParams):
    """Which texts become vectors, and where these are kept."""

    text: tuple[TextField, ...] = Field(default=("label", "passage"), min_length=1, max_length=4)
    """Fields of a node that are joined, in this order: ``label``, ``aliases``, ``type``, ``passage``."""
    nodes: Nodes = "all"
    """Nodes that have a vector: ``all``, or ``passages``, those that say something beyond their label."""
    cache_dir: str | None = Field(default="auto", min_length=1)
    """Directory for vectors; ``auto`` is the user's cache directory, null keeps none."""
    cache_from_s: float = Field(default=0.5, ge=0, le=1e9)
    """Vectors that took less time than this, in seconds, are not kept on disk."""

    @field_validator("text")
    @classmethod
    def _each_once(cls, text: tuple[TextField, ...]) -> tuple[TextField, ...]:
        if len(set(text)) < len(text):
            raise ValueError(f"names a field twice: {', '.join(text)}")
        return text

    @property
    def choice(self) -> TextChoice:
        """Which texts of which nodes."""
        return TextChoice(self.text, self.nodes)

    @property
    def cache(self) -> VectorCache | None:
        """Where vectors are kept on disk, if they are."""
        if self.cache_dir is None:
            return None
        try:
            return VectorCache(
                vector_directory() if self.cache_dir == "auto" else Path(self.cache_dir).expanduser()
            )
        except RuntimeError:  # this user has no home directory, as in some containers
            return None
