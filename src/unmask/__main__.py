"""Runs the `unmask` command as `python -m unmask`."""

from .cli import main

if __name__ == "__main__":
    main()
