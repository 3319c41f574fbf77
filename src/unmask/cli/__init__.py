"""The command `unmask`: one file per subcommand; parse, call, print."""

from .app import main

__all__ = ["main"]
