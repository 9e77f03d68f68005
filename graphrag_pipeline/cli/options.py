"""Options that several commands share, and what they are turned into before a command runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from graphrag_pipeline.experiment.request import Request

# Any: click hands over parameters by keyword; each command declares its own.
Command = Callable[..., Any]

MEASURES = ("nDCG@10", "R@10", "RR", "AP")
"""What is measured where nothing else is asked for, by every command: what one shows, another compares."""


def named(_ctx: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Refuse an empty path: it would mean the current directory, and is mostly an unset shell variable."""
    if not value:
        raise click.BadParameter("the name is empty")
    return value


def named_or_not(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty path where none need be given; see :func:`named`."""
    return None if value is None else named(ctx, parameter, value)


def json_option(command: Command) -> Command:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON; the format is stable.")(command)


def measure_option(measure: str) -> Callable[[Command], Command]:
    """Return what adds ``--measure``, as ``measures``, with what it says of itself."""
    return click.option(
        "--measure",
        "measures",
        multiple=True,
        default=MEASURES,
        show_default=True,
        metavar="NAME",
        help=measure,
    )


def measure_options(measure: str, depth: str) -> Callable[[Command], Command]:
    """Return what adds ``--measure``, as ``measures``, and ``--depth``, with what each says of itself.

    The depth is None where it is not given; :func:`.ranking_depth.ranking_depth` tells what it is then.
    """

    def added(command: Command) -> Command:
        command = click.option(
            "--depth",
            metavar="N",
            type=click.IntRange(1, 1_000_000),
            help=f"{depth} [default: 100, or the largest cutoff of the measures]",
        )(command)
        return measure_option(measure)(command)

    return added


def jobs_option(command: Command) -> Command:
    """Add ``--jobs``."""
    return click.option(
        "--jobs",
        default=1,
        show_default=True,
        metavar="N",
        type=click.IntRange(1, 256),
        help="Processes that answer queries; results are the same for any number.",
    )(command)


def request_of(overrides: Iterable[str], measures: Iterable[str], depth: int) -> Request:
    """Return what the running command was asked for, so that other processes can make the same of it."""
    from graphrag_pipeline.experiment.request import Request

    given = click.get_current_context().params
    config_file = given["config_file"]
    return Request(
        overrides=tuple(overrides),
        config_dirs=tuple(str(Path(name).resolve()) for name in given["config_dirs"]),
        plugins=tuple(str(Path(name).resolve()) for name in given["plugin_files"]),
        blocked=tuple(given["blocked"]),
        measures=tuple(measures),
        depth=depth,
        config_file=str(Path(config_file).resolve()) if config_file else None,
    )


def config_dir_option(command: Command) -> Command:
    """Add ``--config-dir``, as ``config_dirs``."""
    return click.option(
        "--config-dir",
        "config_dirs",
        multiple=True,
        metavar="DIR",
        help="Directory of your own YAML groups; its files win over built-in ones. May be repeated.",
    )(command)


def config_file_option(command: Command) -> Command:
    """Add ``--config``, as ``config_file``."""
    return click.option(
        "--config",
        "config_file",
        metavar="FILE.yaml",
        callback=named_or_not,
        help="A whole configuration to start from, such as one that `freeze` wrote; OVERRIDES change it.",
    )(command)


def with_host(command: Command) -> Command:
    """Add where plugins come from; the command is given the loaded ``host``.

    A plugin that ``--plugin`` names and that cannot be loaded ends the command: what it was to change
    would be silently something else.
    """
    return _with_host(command, needed=True)


def with_faulty_host(command: Command) -> Command:
    """Like :func:`with_host`, for a command that tells what is wrong with plugins; it goes on."""
    return _with_host(command, needed=False)


def _with_host(command: Command, *, needed: bool) -> Command:
    @click.option(
        "--plugin",
        "plugin_files",
        multiple=True,
        metavar="FILE.py",
        type=click.Path(exists=True),
        help="Load a plugin file or package directory. May be repeated.",
    )
    @click.option(
        "--no-plugin",
        "blocked",
        multiple=True,
        metavar="NAME",
        help="Leave an installed plugin out. May be repeated.",
    )
    @click.option("--strict-plugins", "strict", is_flag=True, help="Fail when any plugin fails to load.")
    @wraps(command)
    def wrapped(
        *args: Any, plugin_files: tuple[str, ...], blocked: tuple[str, ...], strict: bool, **rest: Any
    ) -> Any:
        from graphrag_pipeline.plugin.host import PluginHost

        # What plugins print must not get between results.
        with redirect_stdout(sys.stderr):
            host = PluginHost.discover(files=plugin_files, blocked=blocked, strict=strict, needed=needed)
        return command(*args, host=host, **rest)

    done: Command = wrapped
    return done


def with_settings(command: Command) -> Command:
    """Add overrides and where configuration comes from; the command is given ``settings`` and ``host``."""
    return _with_settings(command, click.argument("overrides", nargs=-1), lambda overrides: overrides)


def with_graph(command: Command) -> Command:
    """Like :func:`with_settings`; the first argument may be the path of a graph, of whatever format."""
    argument = click.argument("overrides", nargs=-1, metavar="[PATH] [OVERRIDES]...")
    return _with_settings(command, argument, graph_overrides)


def with_source(command: Command) -> Command:
    """Like :func:`with_graph`, for a command that has the path as an argument ``source`` of its own."""
    return _with_settings(command, click.argument("overrides", nargs=-1), graph_overrides)


def graph_overrides(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return overrides; a path that comes first becomes ``graph.path``, by default of ``graph=auto``."""
    if not arguments or not _is_path(arguments[0]):
        return tuple(arguments)
    from graphrag_pipeline.config.overrides import literal

    path, *rest = arguments
    chosen = () if any(override.startswith("graph=") for override in rest) else ("graph=auto",)
    return (*chosen, f"graph.path={literal(path)}", *rest)


def _is_path(argument: str) -> bool:
    if "=" not in argument and not argument.startswith("~"):
        return True
    return "\0" not in argument and Path(argument).exists()


def _with_settings(
    command: Command,
    argument: Callable[[Command], Command],
    read: Callable[[tuple[str, ...]], Sequence[str]],
) -> Command:
    @argument
    @config_file_option
    @config_dir_option
    @with_host
    @wraps(command)
    def wrapped(
        *args: Any,
        overrides: tuple[str, ...],
        config_file: str | None,
        config_dirs: tuple[str, ...],
        host: Any,
        **rest: Any,
    ) -> Any:
        from graphrag_pipeline.cli.output import message
        from graphrag_pipeline.config.settings import load_settings

        arguments = (rest["source"], *overrides) if "source" in rest else overrides
        # What plugins print must not get between results.
        with redirect_stdout(sys.stderr):
            settings = load_settings(
                read(arguments),
                config_dirs=config_dirs,
                host=host,
                text=rest.get("text"),
                config_file=config_file,
            )
        for note in settings.notes:
            message("note", note)
        return command(*args, settings=settings, host=host, **rest)

    done: Command = wrapped
    return done
