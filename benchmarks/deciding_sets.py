"""Measure how large deciding sets are, what they cost, and how often they are the smallest (SST-2 test from 900 on).

.venv/bin/python benchmarks/deciding_sets.py     # writes docs/results/deciding-sets.md; rerun to resume

It also measures texts of Rotten Tomatoes (test, those not in SST-2) that a model flags as negative.

Each text's result is stored in .results/deciding-sets.jsonl.
"""

import argparse
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from deciding_sets_page import page
from faithfulness_by_length import key, rows
from numpy.typing import NDArray
from stored import Store
from timing import MODELS, explainer_of, sst2
from tqdm import tqdm

from unmask import Explainer, Explanation, Request
from unmask.methods import Method
from unmask.questions import Asking, Instance, Scores, ask_outputs
from unmask.render.colored_spans import strongest
from unmask.results.deciding_sets import DecidingSet

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".results" / "deciding-sets.jsonl"
PAGE = ROOT / "docs" / "results" / "deciding-sets.md"
NAMES = ("embedded", *MODELS)
STANDS_OUT = 0.25  # of the score that gets the strongest color
FIRST, TEXTS = 900, 200  # sentences that nothing was tuned on
SIZES, EACH = range(4, 13), 4  # for the exhaustive check: words of a sentence, sentences of each size
FLAGGING, FLAGGED = ("embedded", "roberta-sst2"), 100  # models, and texts of each that they flag
PARTS = ("sets", "smallest", "flagged")


@dataclass(frozen=True, kw_only=True)
class EverySubset(Method):
    """Asks for the text with every subset of its units masked; keeps the outputs."""

    name: ClassVar[str] = "every_subset"
    outputs: list[NDArray[np.float64]] = field(default_factory=list, hash=False)

    def ask(self, instance: Instance) -> Asking:
        count = len(instance.units)
        shown = ([unit for unit in range(count) if not masked >> unit & 1] for masked in range(2**count))
        outputs = yield from ask_outputs(map(instance.keep_only, shown))
        self.outputs.append(outputs.numpy())
        return Scores(instance.whole.new_zeros(count))


def measure(explainer: Explainer, text: str) -> dict[str, Any]:
    """Return what an explanation with sets reports about one text."""
    found = explainer.explain(text)
    assert found.sets is not None
    return {
        "words": len(found),
        "passes": found.passes.forward,
        "search": found.sets.passes.forward,
        "stands_out": max(map(abs, found.scores)) >= STANDS_OUT * strongest(found),
        "necessary": _facts(found.sets.necessary),
        "sufficient": _facts(found.sets.sufficient),
    }


def _facts(one: DecidingSet | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "size": len(one.units),
        "question": one.question,
        "is_minimal": one.is_minimal,
        "is_smallest": one.is_smallest,
    }


def exhaustive(explainer: Explainer, text: str) -> dict[str, Any]:
    """The same with the smallest sets, from the outputs of all subsets."""
    method = EverySubset()
    explainer.explain(text, method=method)
    (outputs,), found = method.outputs, explainer.explain(text)
    assert found.sets is not None
    is_kept = outputs[-1].argmax() == outputs[0].argmax()
    smallest = {
        (kind, question): _smallest(outputs, found, kind, question)
        for kind in ("necessary", "sufficient")
        for question in ("label", "value")
        if not (kind == "sufficient" and question == "label" and is_kept)
    }
    sets = {"necessary": _facts(found.sets.necessary), "sufficient": _facts(found.sets.sufficient)}
    return {"words": len(found), **sets, "smallest": [[*key, size] for key, size in smallest.items()]}


def _smallest(outputs: NDArray[np.float64], found: Explanation, kind: str, question: str) -> int | None:
    """The size of the smallest set by brute force, from the definition; None if there is none."""
    count = len(found)
    masked = np.array([row.bit_count() for row in range(2**count)])
    sizes = masked if kind == "necessary" else count - masked
    label = int(outputs[0].argmax())
    if question == "label":
        is_met = (outputs.argmax(-1) != label) == (kind == "necessary")
    else:
        others = np.delete(outputs, label, -1)
        values = outputs[:, label] - np.log(np.exp(others).sum(-1))  # log-odds of the predicted label
        together = values[0] - values[-1]
        if abs(together) < 1e-3:
            return None
        change = values[0] - values if kind == "necessary" else values - values[-1]
        is_met = change * np.sign(together) >= 0.9 * abs(together)
    met = sizes[is_met & (sizes > 0)]
    return int(met.min()) if len(met) else None


def flagged(explainer: Explainer) -> list[str]:
    """Return the first texts of Rotten Tomatoes that the model calls negative and that are not in SST-2."""
    known = {key(text) for split in ("train_phrases", "test") for text in rows("sst2", split)}
    fresh = (text for text in rows("rotten_tomatoes", "test") if key(text) not in known)
    found = explainer.wrongly_predicted(Request(text, label="positive") for text in fresh)
    return [one.text for one in islice(found, FLAGGED) if isinstance(one, Request)]


def measure_model(store: Store, name: str) -> None:
    """Measure what the store lacks of one model."""
    explainer, texts = explainer_of(name), sst2("test")[FIRST:]
    lengths = {text: len(explainer.units(text)) for text in texts}
    few = [text for size in SIZES for text in islice((one for one in texts if lengths[one] == size), EACH)]
    for text in tqdm(texts[:TEXTS], desc=name):
        store.kept(f"{name} sets: {text}", partial(measure, explainer, text))
    for text in tqdm(few, desc=f"{name}, all subsets"):
        store.kept(f"{name} smallest: {text}", partial(exhaustive, explainer, text))
    negative = store.kept(f"{name} texts", partial(flagged, explainer)) if name in FLAGGING else []
    for text in tqdm(negative, desc=f"{name}, flagged"):
        store.kept(f"{name} flagged: {text}", partial(measure, explainer, text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=NAMES, action="append", help="only these models; the page needs all of them")
    parser.add_argument("--threads", type=int)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    store = Store(KEPT)
    for name in given.model or NAMES:
        measure_model(store, name)
    found = {
        (name, part): [value for key, value in store.known.items() if key.startswith(f"{name} {part}: ")]
        for name in NAMES
        for part in PARTS
    }
    if all(records for (name, part), records in found.items() if part != "flagged" or name in FLAGGING):
        PAGE.write_text(page(NAMES, found), encoding="utf-8")


if __name__ == "__main__":
    main()
