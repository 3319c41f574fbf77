"""The `unmask` command. Each subcommand has a file that parses its options, does the work and prints the result."""

from .app import main

__all__ = ["main"]
