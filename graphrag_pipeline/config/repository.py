"""Where Hydra finds configs: our roots, read by our reader.

Imported only when a config is composed: it loads Hydra.
"""

from __future__ import annotations

from collections.abc import Sequence

from hydra._internal.config_repository import ConfigRepository
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import OmegaConf

from graphrag_pipeline.config.roots import Root
from graphrag_pipeline.config.search_path import SearchRoot
from graphrag_pipeline.config.yaml_reader import Document


class RootSource(ConfigSource):
    """One root, as Hydra asks for it."""

    def __init__(self, root: SearchRoot) -> None:
        super().__init__(provider=root.name, path=f"file://{root.path}")
        self.root = root

    @staticmethod
    def scheme() -> str:
        """Return the scheme of paths that Hydra shows."""
        return "file"

    def load_config(self, config_path: str) -> ConfigResult:
        """Not used: the repository reads, so that each file is read once."""
        raise NotImplementedError

    def is_group(self, config_path: str) -> bool:
        """Whether there is a directory for the group."""
        return self.root.is_group(config_path)

    def is_config(self, config_path: str) -> bool:
        """Whether there is a file for the config."""
        return self.root.has(config_path)

    def available(self) -> bool:
        """Whether the root exists."""
        return self.root.path.is_dir()

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        """Return the options of a group."""
        return self.root.options(config_path) if results_filter != ObjectType.GROUP else []


class Repository(ConfigRepository):
    """Finds configs in the first root that has them and remembers every document it read."""

    def __init__(self, roots: Sequence[SearchRoot]) -> None:
        self.sources: list[ConfigSource] = [RootSource(root) for root in roots]
        self.roots = tuple(roots)
        self.documents: dict[str, Document] = {}
        self._results: dict[str, ConfigResult] = {}

    def has(self, group: str, option: str) -> bool:
        """Whether some root has an option of a group, listed or not."""
        return any(root.has(f"{group}/{option}") for root in self.roots)

    def load_config(self, config_path: str) -> ConfigResult | None:
        """Read a config once; None when no root has it."""
        if config_path not in self._results:
            root = next((root for root in self.roots if root.has(config_path)), None)
            if root is None:
                return None
            document = root.read(config_path)
            self.documents[config_path] = document
            self._results[config_path] = self._result(config_path, root, document)
        return self._results[config_path]

    def _result(self, config_path: str, root: SearchRoot, document: Document) -> ConfigResult:
        # Hydra is shown the defaults list alone: the values are merged by us, with their places.
        defaults = OmegaConf.create([entry.text for entry in document.defaults or ()])
        return ConfigResult(
            provider=root.name,
            path=f"file://{root.path}",
            config=OmegaConf.create({}),
            header={"package": document.package},
            defaults_list=self._create_defaults_list(config_path, defaults),
        )

    def shadowed(self, config_path: str) -> list[str]:
        """Return how messages call the files that the one found hides."""
        found = [root for root in self.roots if root.has(config_path)]
        return [root.shown(config_path) for root in found[1:] if isinstance(root, Root)]
