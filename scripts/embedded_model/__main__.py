"""The steps, each in a file of its own: start, train (twice: with and without --masked 0), pack."""

import argparse
from pathlib import Path

from .cut import starting_point
from .pack import pack, write_card
from .train import Recipe, train


def main() -> None:
    parser = argparse.ArgumentParser(prog="embedded_model", description=__doc__)
    parser.add_argument("step", choices=["start", "train", "pack", "card"])
    parser.add_argument("folder", type=Path, help="where everything that is made along the way is kept")
    parser.add_argument("--masked", type=float, default=Recipe().masked, help="0 trains the twin without masks")
    given = parser.parse_args()
    start, masked, twin = (given.folder / name for name in ("start", "masked", "twin"))
    if given.step == "start":
        starting_point(start)
    elif given.step == "train":
        train(start, masked if given.masked else twin, Recipe(masked=given.masked))
    elif given.step == "pack":
        pack(masked, twin)
    else:
        write_card()


main()
