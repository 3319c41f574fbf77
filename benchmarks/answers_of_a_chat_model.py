"""Check on a real chat model (SmolLM2-135M-Instruct) whether the words it answers from get the largest scores.

../shared/tools/smollm2 .venv/bin/python FOLDER     # makes the model, 517 MB
OMP_NUM_THREADS=1 .venv/bin/python benchmarks/answers_of_a_chat_model.py --model FOLDER
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from timing import SHARED

from unmask import Contrast, Explainer, Explanation, Request, Segment

PROMPTS = 10  # of indirect objects


@dataclass(frozen=True)
class Case:
    """Two invented documents, a question, and the fact that answers it."""

    documents: tuple[str, str]
    question: str
    fact: str  # in one sentence of the documents


CASES = (
    Case(
        (
            "The lighthouse of Port Ellen was built in 1832. It is painted white. Its keeper is called Morag Finlay.",
            "The harbor of Port Ellen has two piers. Ferries leave every morning. The fish market opens at six.",
        ),
        "What is the name of the lighthouse keeper?",
        "Morag Finlay",
    ),
    Case(
        (
            "The bakery on Mill Street sells bread and cakes. It opens at seven. Its owner used to be a sailor.",
            "The library is closed on Sundays. A library card costs nine dollars. The reading room is upstairs.",
        ),
        "How much does a library card cost?",
        "nine dollars",
    ),
    Case(
        (
            "Our office has three meeting rooms. The largest one is called Saturn. It has room for twenty people.",
            "The printer is on the second floor. The coffee machine is next to the stairs. Parking is free for guests.",
        ),
        "What is the largest meeting room called?",
        "Saturn",
    ),
)


def load(folder: str) -> Explainer:
    """Load the model, or exit with a reason if there is none."""
    if not (Path(folder) / "model.safetensors").exists():
        sys.exit(f"skipped: there is no model in {folder!r}; make it with ../shared/tools/smollm2 PYTHON FOLDER")
    return Explainer.from_pretrained(folder, device="cpu")


def sentences(explainer: Explainer, case: Case) -> Explanation:
    """The model's answer to the question, explained by the sentences of the documents."""
    names = ("a.txt", "b.txt")
    documents = [Segment(text, name) for text, name in zip(case.documents, names, strict=True)]
    request = Request(segments=[*documents, Segment(case.question, "question", fixed=True)])
    return explainer.explain(request, unit="sentence", max_new_tokens=24)


def fact_rows(explainer: Explainer) -> Iterator[bool]:
    """Print each question with the sentences that matter most; yield whether the top sentence contains the fact."""
    print("| question | answer | largest score | second | documents removed |\n|---|---|---|---|---|")
    for case in CASES:
        found = sentences(explainer, case)
        (first, high), (second, low) = sorted(found, key=lambda pair: -pair[1])[:2]
        assert found.without_context is not None
        cells = [
            case.question,
            " ".join((found.continuation or "").split()),
            f"{high:.1f}: {first.text}",
            f"{low:.1f}: {second.text}",
            f"{found.without_context.lost:.1f}",
        ]
        print(f"| {' | '.join(cells)} |", flush=True)
        yield case.fact in first.text


def indirect_objects() -> list[dict[str, Any]]:
    """Return the first prompts whose next word is the indirect object: "Later Mary showed the key to" Paul."""
    with gzip.open(SHARED / "data" / "lm" / "ioi_generated_400.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line, _ in zip(lines, range(PROMPTS), strict=False)]


def words_at(prompt: str) -> list[int]:
    """The character at which each whitespace-separated word begins."""
    places, reached = [], 0
    for word in prompt.split():
        places.append(prompt.index(word, reached))
        reached = places[-1] + len(word)
    return places


COUNTS = (
    "the model generates the right name",
    "the right name is more likely than the other one",
    "target is the right name: that name has the largest score of all words except the last",
    "target is the right name: that name scores higher than the other name",
    "target is the contrast of the two names: the right name has the largest score of all words",
    "target is the contrast of the two names: the right name has one of the two largest scores",
)


def name_counts(explainer: Explainer) -> list[int]:
    """Return, for each statement in `COUNTS`, the number of prompts for which it holds."""
    return [sum(column) for column in zip(*map(partial(_points, explainer), indirect_objects()), strict=True)]


def _points(explainer: Explainer, row: dict[str, Any]) -> tuple[bool, ...]:
    prompt, right, wrong = row["prompt"], f" {row['answer']}", f" {row['wrong']}"
    places = words_at(prompt)
    answer = explainer.explain(prompt, continuation=right)
    contrast = explainer.explain(prompt, target=Contrast(right, wrong))
    generated = explainer.explain(prompt, max_new_tokens=len(answer.outputs), method="random")
    toward, rather = ranked(answer), ranked(contrast)
    name, others = places[row["io"]], (places[row["s1"]], places[row["s2"]])
    return (
        generated.continuation == right,
        contrast.whole[0] > contrast.whole[1],
        next(place for place in toward if place != places[-1]) == name,
        toward.index(name) < min(map(toward.index, others)),
        rather[0] == name,
        name in rather[:2],
    )


def ranked(found: Explanation) -> list[int]:
    """Return the positions in the prompt where units begin, sorted by score, largest first."""
    return [unit.start for unit, _ in sorted(found, key=lambda pair: -pair[1])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default=str(SHARED / "models" / "smollm2"), help="the folder of the chat model")
    explainer = load(parser.parse_args().model)
    torch.set_num_threads(1)
    right = list(fact_rows(explainer))
    print(f"\nThe sentence with the fact has the largest score in {sum(right)} of {len(right)} answers.\n")
    print(f"| finding | of {PROMPTS} prompts |\n|---|---|")
    for what, count in zip(COUNTS, name_counts(explainer), strict=True):
        print(f"| {what} | {count} |", flush=True)


if __name__ == "__main__":
    main()
