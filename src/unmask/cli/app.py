"""The `unmask` program: its commands and exit codes."""

import errno
import sys
from typing import Annotated, Any

import typer

from .. import __version__
from . import exit_codes
from .compare import compare
from .evaluate import evaluate
from .exit_codes import Exit
from .explain import explain
from .interactions import interactions
from .merge import merge
from .methods import methods
from .paths import paths
from .report import report, status
from .run import run
from .serve import serve

# Some versions of Typer vendor click; in all of them, this is the base class of usage errors.
BAD_USAGE: Any = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="unmask",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (explain, compare, interactions, evaluate, run, report, status, merge, paths, methods, serve):
    app.command()(command)


def _version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"unmask {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def program(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Show which words drive a classifier's prediction or a language model's answer."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(Exit.NOTHING_DONE)


def main() -> None:
    """Run the command and exit with its code."""
    exit_codes.speak_unicode()
    sys.exit(exit_codes.ended(_run, debug=False))


def _run() -> Exit:
    try:
        return Exit(app(prog_name="unmask", standalone_mode=False) or Exit.DONE)
    except BAD_USAGE as error:
        exit_codes.say(f"error: {error.format_message()}")
        exit_codes.say("hint: see --help; put -- before a text that starts with a dash")
        return Exit.NOTHING_DONE
    except typer.Abort:
        return Exit.INTERRUPTED
    except SystemExit as left:
        raise BrokenPipeError(errno.EPIPE, "closed pipe") from left  # the only case where Typer itself exits
