"""The protocol taken apart: each part alone, and all but one, against a reference that alters ids text by text."""

from collections.abc import Collection
from math import floor
from typing import Any

import pytest
from support import slow_reference, tiny
from support.paper_protocol import once_embedded_logits, twice_embedded_logits
from support.shared import MODELS, SHARED, needs_shared, sst2
from torch import Tensor

from unmask import Explainer
from unmask.metrics.faithfulness import METRICS
from unmask.metrics.registry import Measure
from unmask.results.evaluation import Evaluation
from unmask.studies.sig2023.protocol import PARTS, paper_with

TEXTS = ["not bad, a lovely film! the mysteries of cinema", *tiny.TEXTS[2:]]
OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in ("distilbert", "roberta")]
CHOICES = [(), *((part,) for part in PARTS), *(tuple(one for one in PARTS if one != part) for part in PARTS)]


def figures(found: Evaluation, at: int, row: str = "sig") -> list[float]:
    (operator,) = found.operators
    return [float(found.row(row).values[Measure(metric, operator, 0.2)][at]) for metric in METRICS]


def sig_figures(
    model: Any, tokenizer: Any, text: str, parts: Collection[str], *, is_doubled: bool
) -> tuple[float, float, float]:
    """The three metrics of exact SIG, from ids alone, with these parts of the paper's protocol."""
    words, ids = slow_reference.places(tokenizer, text, "word")
    inner = sorted(place for word in words for place in word)
    special = [place for place in range(len(ids)) if place not in inner]
    units: list[list[int]] = [[place] for place in inner] if "tokens" in parts else [list(word) for word in words]
    if "special_tokens" in parts:
        units = sorted([*units, *([place] for place in special)])
    double = is_doubled and "double_embedding" in parts

    def logits(row: list[int]) -> Tensor:
        return (twice_embedded_logits if double else once_embedded_logits)(model, row).double()

    def masked(unit: Collection[int]) -> list[int]:
        return [tokenizer.mask_token_id if place in unit else token for place, token in enumerate(ids)]

    def without(gone: Collection[int]) -> list[int]:
        return [token for place, token in enumerate(ids) if place not in gone]

    predicted = int(logits(ids).argmax())

    def target(row: list[int]) -> float:
        if "target" in parts:
            return float(logits(row).max())
        chance = logits(row).softmax(-1)[predicted]
        return float((chance / (1 - chance)).log())

    scores = [0.0 if unit[0] in special else target(ids) - target(masked(unit)) for unit in units]
    share = 0.2 * len(units)
    count = int(share) if "rounding" in parts else max(1, floor(round(share, 9) + 0.5))
    ranked = sorted(range(len(units)), key=lambda unit: (-round(scores[unit], 9), unit))
    top = [place for unit in ranked[:count] for place in units[unit]]
    rest = [place for unit in ranked[count:] for place in units[unit]]
    if not top:
        return 0.0, 0.0, 0.0

    def chance(row: list[int]) -> Tensor:
        return logits(row).softmax(-1)[predicted]

    odds = masked(top) if "own_baseline" in parts else without(top)
    before = chance(ids)
    return (
        float(chance(odds).log() - before.log()),
        float(before - chance(without(top))),
        float(before - chance(without(rest))),
    )


@pytest.mark.parametrize("parts", CHOICES, ids="+".join)
@pytest.mark.parametrize("architecture", ["bert", *OTHERS])
def test_metrics_with_some_parts_of_the_protocol(architecture: str, parts: tuple[str, ...]) -> None:
    explainer = tiny.explainer(architecture)
    found = explainer.evaluate(
        TEXTS, methods=["sig"], protocol=paper_with(parts), baseline="mask", controls=(), curve=(0.2,)
    )
    for at, text in enumerate(TEXTS):
        expected = sig_figures(
            explainer.model, explainer.tokenizer, text, parts, is_doubled=architecture != "distilbert"
        )
        assert figures(found, at) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("architecture", ["bert", *OTHERS])
def test_the_ends_are_the_two_protocols(architecture: str) -> None:
    explainer, methods = tiny.explainer(architecture), ["sig", "ig:steps=2", "two_sided", "grad_x_input"]
    asked: dict[str, Any] = {"methods": methods, "baseline": "mask", "controls": ("random",), "curve": (0.2,)}
    ends: list[tuple[Evaluation, Any]] = [
        (explainer.evaluate(TEXTS, protocol=paper_with(()), **asked), {"operators": "remove"}),
        (explainer.evaluate(TEXTS, protocol=paper_with(PARTS), **asked), {"protocol": "paper"}),
    ]
    for found, options in ends:
        expected = explainer.evaluate(TEXTS, **asked, **options)
        for row in (*(row.name for row in expected.rows if row.kind == "method"), "random"):
            for at in range(len(TEXTS)):
                assert figures(found, at, row) == pytest.approx(figures(expected, at, row), abs=1e-12)


def test_every_part_changes_some_figure() -> None:
    explainer, texts = tiny.explainer("bert"), [*tiny.TEXTS, *TEXTS]
    found = [
        explainer.evaluate(texts, methods=["sig"], protocol=paper_with(parts), baseline="mask", controls=())
        for parts in ((), *((part,) for part in PARTS))
    ]
    tables = [[figures(one, at) for at in range(len(texts))] for one in found]
    assert all(table != tables[0] for table in tables[1:])


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown part 'token'; did you mean 'tokens'"):
        paper_with(["token"])


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_parts_on_trained_models(model: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / model, device="cpu")
    texts = [row["text"] for row in sst2("test")[900:904]]
    for parts in CHOICES:
        found = explainer.evaluate(texts, methods=["sig"], protocol=paper_with(parts), baseline="mask", controls=())
        for at, text in enumerate(texts):
            expected = sig_figures(
                explainer.model, explainer.tokenizer, text, parts, is_doubled=model != "distilbert-sst2"
            )
            assert figures(found, at) == pytest.approx(expected, abs=1e-5)
