"""What needs a clean room: each plugin as its users install it. Run `nox -s plugins`."""

from __future__ import annotations

import os
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PLUGINS = sorted(path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml"))

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "venv"


@nox.session
@nox.parametrize("plugin", PLUGINS, ids=PLUGINS)
def plugins(session: nox.Session, plugin: str) -> None:
    """Build the product and a plugin, install both wheels, and run the plugin's tests.

    They run outside the repository and without its settings, so that nothing of it is imported by accident.
    Arguments behind -- go to pytest.
    """
    folder = ROOT / "plugins" / plugin
    room = Path(session.create_tmp()).resolve()
    session.install("build")
    product, wheel = (_built(session, source, room / source.name) for source in (ROOT, folder))
    session.install(str(product), f"{wheel}[test]")
    session.run("python", "-m", "pip", "check")
    session.chdir(room)
    options = ("-c", os.devnull, f"--rootdir={folder}", "--import-mode=importlib", "-p", "no:cacheprovider")
    # hydra-core installs a pytest plugin that imports hydra into every run.
    session.run(
        "python", "-m", "pytest", "-p", "no:hydra_pytest", *options, *session.posargs, str(folder / "tests")
    )


def _built(session: nox.Session, source: Path, into: Path) -> Path:
    """Build a wheel, and return it."""
    for old in into.glob("*.whl"):
        old.unlink()
    session.run("python", "-m", "build", "--wheel", "--outdir", str(into), str(source), silent=True)
    (wheel,) = into.glob("*.whl")
    return wheel
