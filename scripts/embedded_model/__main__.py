"""The steps: start, train (twice, with and without --masked 0), pack."""

import argparse
from pathlib import Path
from typing import Any

from training import texts
from training.batches import encoded
from training.measure import accuracy
from training.train import Figures, Recipe, Training, train

from .cut import starting_point
from .pack import DRAWS, pack, write_card


def main() -> None:
    parser = argparse.ArgumentParser(prog="embedded_model", description=__doc__)
    parser.add_argument("step", choices=["start", "train", "pack", "card"])
    parser.add_argument("folder", type=Path, help="working folder for intermediate files")
    parser.add_argument(
        "--masked",
        type=float,
        default=Recipe().masked,
        help="largest share of words masked in training; 0 trains the twin without masks",
    )
    given = parser.parse_args()
    start, masked, twin = (given.folder / name for name in ("start", "masked", "twin"))
    if given.step == "start":
        starting_point(start)
    elif given.step == "train":
        training = Training(start, masked if given.masked else twin, Recipe(masked=given.masked))
        train(training, encoded(training.tokenizer, texts.sst2("train_phrases")), validate)
    elif given.step == "pack":
        pack(masked, twin)
    else:
        write_card()


def validate(model: Any, tokenizer: Any) -> Figures:
    """The accuracy on SST-2's development set, unaltered and with a fifth of the words masked."""
    dev = texts.sst2("dev")
    clean, hidden = accuracy(model, tokenizer, dev), accuracy(model, tokenizer, dev, masked=0.2, draws=DRAWS)
    return {"dev": clean, "a fifth masked": hidden}


main()
