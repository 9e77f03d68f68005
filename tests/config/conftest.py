"""One host of built-ins, and the built-in config loaded once, for all tests of the config."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.errors import ConfigError, Problem
from graphrag_pipeline.plugin.host import PluginHost

Load = Callable[..., Settings]
Mistakes = Callable[..., dict[str, Problem]]


def builtin_host() -> PluginHost:
    return PluginHost.discover(entry_points=False, environ={})


@pytest.fixture(autouse=True)
def _data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name a directory for the question sets, which the options of ``dataset`` ask the environment for."""
    monkeypatch.setenv("GRAPHRAG_DATA", "data")


@pytest.fixture(scope="session")
def host() -> PluginHost:
    return builtin_host()


@pytest.fixture(scope="session")
def load(host: PluginHost) -> Load:
    def load_them(*overrides: str, dirs: tuple[Path | str, ...] = ()) -> Settings:
        loaded: Settings = load_settings(overrides, config_dirs=dirs, host=host)
        return loaded

    return load_them


@pytest.fixture(scope="session")
def settings(load: Load) -> Settings:
    """The built-in config."""
    return load()


@pytest.fixture(scope="session")
def mistakes(load: Load) -> Mistakes:
    """Load a wrong config; return its problems by key."""

    def load_wrong(*overrides: str, dirs: tuple[Path | str, ...] = ()) -> dict[str, Problem]:
        with pytest.raises(ConfigError) as caught:
            load(*overrides, dirs=dirs)
        return {problem.key: problem for problem in reversed(caught.value.problems)}

    return load_wrong


@pytest.fixture
def write(tmp_path, monkeypatch) -> Callable[[str, str | bytes], Path]:
    """Write a file in a new directory, which is the working directory."""
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, text: str | bytes) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write_file
