"""Explanations of every kind to draw, with exactly known numbers."""

import re
from dataclasses import replace
from functools import cache

from unmask import Comparison, Contrast, Explainer, Explanation, Failure, Request
from unmask.errors import TextError
from unmask.models.formula import FormulaModel
from unmask.render.comparison_view import ComparisonRow, ComparisonView
from unmask.render.formats import Item
from unmask.render.view import view_explanation
from unmask.results.metadata import MethodInfo, ModelInfo, Passes, SegmentInfo, Unit
from unmask.tasks.targets import Head

WEIGHTS = {
    "gripping": 2.5,
    "beautifully": 1.25,
    "shot": 0.3,
    "dull": -1.75,
    "Never": -0.4,
    "lovely": 0.01,
    "dreadful": -9.0,
}


def explanation(text: str | Request, head: Head | None = None, **settings: object) -> Explanation:
    adapter = FormulaModel.weighted_words(WEIGHTS)
    adapter.head = head or adapter.head
    settings.setdefault("sets", "none")  # of their own: tests/support/deciding.py
    max_length = settings.pop("max_length", None)
    explainer = Explainer.from_adapter(adapter, max_length=max_length)  # type: ignore[arg-type]
    found = explainer.explain(text, **{"sets": "none"} | settings)  # type: ignore[arg-type]
    return replace(found, model=ModelInfo("weighted-words", "sha256:0123456789abcdef"), seconds=0.0)


@cache
def cases() -> dict[str, Explanation]:
    short = explanation("A gripping, beautifully shot film. Never dull.")
    redundant = replace(explanation("lovely lovely film"), at_baseline=(0.0, -5.0))
    return {
        "short": short,
        "against": explanation("dull film"),
        "redundant": redundant,
        "long": explanation("A gripping film, beautifully shot, and never once dull or slow. " * 9),
        "contrast": short.toward(Contrast("negative", "positive"), scale="probability"),
        "contrast-of-log-odds": short.toward(Contrast("negative", "positive")),
        "max": short.toward("max"),
        "hostile": explanation("gripping\x1b[31m\x07 film\u202e [bold]dull[/bold]\nshot"),
        "one-word": explanation("gripping"),
        "pair": explanation(Request("A gripping film.", text_pair="Never dull, beautifully shot.")),
        "pair-cut": explanation(Request("A gripping film.", text_pair="Never dull."), max_length=5),
        "sentences": explanation("A gripping film. Never dull. Beautifully shot.", unit="sentence"),
        "spans": explanation(Request("A gripping, beautifully shot film.", spans=[(2, 10), (12, 28)])),
        "several-labels": explanation("gripping film", Head(("comedy", "drama"), "sigmoid")),
        "no-label": explanation("dull film", Head(("comedy", "drama"), "sigmoid"), target="drama"),
        "value": replace(
            explanation("gripping film"),
            outputs=("value",),
            activation="none",
            scale="value",
            target="value",
            whole=(3.25,),
            at_baseline=(0.75,),
            without=((0.75,), (3.0,)),
            scores=(2.5, 0.25),
        ),
        "unread": explanation("gripping film " + "and more of the same " * 60, max_length=3),
        "all-zero": explanation("it is what it is"),
        "warned": replace(
            short,
            truncated=True,
            segments=(SegmentInfo(short.text, unread=12),),
            warnings=(
                "evil \x1b[31m baseline",
                "the text was truncated to 8 tokens: its last 12 characters were not read",
            ),
            method=MethodInfo("some_method", {"steps": 50}, uses_baseline=False),
        ),
    }


def items() -> list[Item]:
    """Many texts, one of which failed."""
    names = ("short", "against", "contrast", "hostile", "all-zero", "unread")
    found = [(line, cases()[name]) for line, name in enumerate(names, start=1)]
    return [*found, (7, failure("the text is <empty>: there is nothing to explain", "<nothing>"))]


def rows() -> ComparisonView:
    """One text explained by three methods."""
    first = cases()["short"]
    turned = replace(first, scores=first.scores[::-1], method=MethodInfo("<turned>"), passes=Passes(50, 50))
    flat = replace(first, scores=(0.0,) * len(first.scores), method=MethodInfo("flat"))
    return ComparisonView(
        "method",
        (
            ComparisonRow("sig", view_explanation(first), 0.0312, 1.0),
            ComparisonRow("<turned>", view_explanation(turned), 12.0, -0.12345),
            ComparisonRow("flat", view_explanation(flat), 0.5, None),
        ),
    )


def compared() -> Comparison:
    """One text explained by three methods, two of which have scores only for their target."""
    first = replace(cases()["short"], seconds=0.0312)
    turned = replace(first, scores=first.scores[::-1], without=None, method=MethodInfo("<turned>"), seconds=12.0)
    flat = replace(turned, scores=(0.0,) * len(first.scores), method=MethodInfo("flat"), seconds=0.5)
    return Comparison(over="method", names=("sig", "<turned>", "flat"), explanations=(first, turned, flat))


def compared_units() -> Comparison:
    """One text in three kinds of units; every row has scores for every output."""
    first, whole = cases()["short"], "A gripping, beautifully shot film. Never dull."
    tokens = cut("A grip|ping|, beauti|fully shot film|. Never dull|.", "token")
    found = (first, tokens, explanation(whole, unit="sentence"))
    return Comparison(over="unit", names=("word", "token", "sentence"), explanations=found)


def cut(marked: str, unit: str) -> Explanation:
    """A text with custom units, which end at spaces and bars; their scores alternate in sign."""
    text, units = marked.replace("|", ""), list[Unit]()
    for piece in re.split(r"[\s|]", marked):
        start = text.index(piece, units[-1].end if units else 0)
        units.append(Unit(piece, start, start + len(piece)))
    short, scores = cases()["short"], [(-1.0) ** at for at in range(len(units))]
    without = tuple((short.whole[0], short.whole[1] - score) for score in scores)
    found = replace(
        short, segments=(SegmentInfo(text),), units=tuple(units), scores=tuple(scores), without=without, unit=unit
    )
    return found.toward("positive")


def failure(why: str, text: str = "") -> Failure:
    """A text that could not be explained."""
    return Failure(0, text, TextError(why))
