"""The `unmask` command. Each subcommand has its own file, which parses options, does the work and prints the result."""

from .app import main

__all__ = ["main"]
