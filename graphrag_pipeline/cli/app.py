"""The top command: finds subcommands, and turns errors into one message and an exit code."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

import click

from graphrag_pipeline.cli.output import ReaderGone, message
from graphrag_pipeline.errors import NO_ROOM, GraphRAGError, LostProcessError, OutputError, StageError

DONE, FAILED, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

COMMANDS = {
    "query": "Answer one query.",
    "config": "Show, check and describe the configuration.",
    "plugins": "List plugins, write new ones, and check them.",
    "graph": "Look at a graph, check it, classify it, and write it in other formats.",
    "index": "Compile graphs to disk, and look at what is there.",
    "evaluate": "Run a question set, and measure what comes out.",
    "sweep": "Run many configs on a question set; what they share runs once.",
    "compare": "Compare run files: which is better, and whether that is luck.",
    "verify": "Make a run again, and tell whether everything comes out the same.",
    "diff": "Tell what differs between two runs, and where they part first.",
    "freeze": "Write the configuration of a run as one file that other commands take.",
    "report": "Show a run or a sweep as one HTML file.",
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own, imported when they run.

    ``--help`` must not wait for hydra, numpy and networkx.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in the order of :data:`COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"graphrag_pipeline.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from graphrag_pipeline.cli.version import version_text

        click.echo(version_text())
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the whole traceback of an error.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the versions of everything that can change a result.",
)
def app(debug: bool) -> None:
    """Graph retrieval declared in YAML.

    Results go to standard output, everything else to standard error. The exit code is 0 when it is
    done, 1 when it failed, 2 when the input is wrong.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    debug = "--debug" in options
    if debug:
        # It may stand anywhere, also after the command; click would take it before the command only.
        arguments.remove("--debug")
    _log_to_stderr()
    if sys.stdout is None:
        message("error", "standard output is closed")
        return FAILED
    try:
        code = app.main(args=arguments, prog_name="graphrag-pipeline", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except (click.Abort, KeyboardInterrupt):
        message("error", "interrupted")
        return INTERRUPTED
    except (BrokenPipeError, ReaderGone):
        # The reader has gone (`… | head`); what it wanted is delivered. Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:  # noqa: BLE001  # a user never sees a raw traceback unless asked for
        if debug:
            message("debug", "".join(traceback.format_exception(error)).rstrip())
        return _told(error)


def _told(error: Exception) -> int:
    """Tell the user of an error in one message, and return the exit code it means."""
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        usage = f"\n  hint:  {context.get_usage()}" if context is not None else ""
        message("error", f"{error.format_message()}{usage}")
        return error.exit_code
    if isinstance(error, GraphRAGError):
        message("error", str(error))
        return FAILED if isinstance(error, (StageError, OutputError, LostProcessError)) else WRONG_INPUT
    if isinstance(error, OSError) and error.strerror:
        where = f"\n  where: {error.filename}" if error.filename else ""
        message("error", f"{error.strerror}{where}")
        return WRONG_INPUT if error.filename and error.errno not in NO_ROOM else FAILED
    hint = "This is a fault of ours; --debug shows where."
    message("error", f"{type(error).__name__}: {error}\n  hint:  {hint}")
    return FAILED


class _Messages(logging.Handler):
    """Shows warnings of the library the way the command line shows its own."""

    def emit(self, record: logging.LogRecord) -> None:
        level = "note" if record.levelno == logging.INFO else record.levelname.lower()
        message(level, record.getMessage())


def _log_to_stderr() -> None:
    logger = logging.getLogger("graphrag_pipeline")
    if not any(isinstance(handler, _Messages) for handler in logger.handlers):
        logger.addHandler(_Messages(logging.INFO))
        logger.setLevel(logging.INFO)
        logger.propagate = False
