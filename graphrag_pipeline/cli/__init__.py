"""The command line: one module a subcommand, each imported only when it runs."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit; see :mod:`graphrag_pipeline.cli.app`."""
    from graphrag_pipeline.cli.app import run

    raise SystemExit(run())
