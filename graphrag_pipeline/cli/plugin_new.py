"""What to do with a plugin that was just written."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.scaffold.forms import Form
    from graphrag_pipeline.plugin.scaffold.naming import Names


def next_steps(path: Path, files: tuple[str, ...], names: Names, form: Form) -> str:
    """Return what was written, and the commands that come next.

    Args:
        path: The directory of the package, or the file.
        files: The files of the package; empty for a plugin of one file.
        names: The plugin's names.
        form: Its kind.
    """
    place = shlex.quote(str(path))
    if not files:
        use = f" --plugin {place}"
        return "\n".join([f"wrote {path}", "", *_commands(use, place, names, form)])
    written = [f"  {name}" for name in files]
    install = [f"pip install -e {place}", f"pytest {place}"]
    return "\n".join([f"wrote {path}", *written, "", *install, *_commands("", names.name, names, form)])


def _commands(plugin: str, target: str, names: Names, form: Form) -> list[str]:
    check = f"graphrag-pipeline plugins check {target}"
    if form.flag == "metric":
        return [check, f"graphrag-pipeline evaluate{plugin} dataset=NAME --measure {names.name}"]
    if form.flag == "tracker":
        choice = f"trackers.{names.name}={{}}" if plugin else form.use(names.name)
        return [check, f"graphrag-pipeline evaluate{plugin} dataset=NAME {shlex.quote(choice)}"]
    return [
        check,
        f'graphrag-pipeline query "audit"{plugin} {_single(names, form) if plugin else form.use(names.name)}',
    ]


def _single(names: Names, form: Form) -> str:
    """Return how a component without YAML of its own is used."""
    choices = {
        "signal": f"score.weights.{names.name}=0.2",
        "token-counter": f"context.counter={names.name}",
        "embedder": f"seed=dense seed.embedder={names.name}",
    }
    return choices.get(form.flag) or form.use(names.name)
