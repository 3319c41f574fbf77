"""What the templates of pages need beside the view: every text that they print is escaped, as it is by `escaped`."""

from collections.abc import Iterator, Mapping
from functools import cache

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from ...text.segmentation import GIVEN
from ..captions import number
from ..colored_spans import ColoredSpan
from ..escape import shown
from ..lines import has_direction, is_rtl
from ..view import ExplanationView
from .document import COLORED, escaped, level_name, resource

__all__ = ["escaped", "facts", "joined", "render", "says", "signed"]

FAILED_LENGTH = 1000  # characters of a text that failed: it may have failed because it does not end


def render(template: str, **context: object) -> str:
    """A template beside this module, filled in."""
    return _environment().get_template(template).render(context)


def facts(named: Mapping[str, str]) -> str:
    """Names and what they stand for."""
    return str(_environment().get_template("parts.html").module.facts(named)).strip()  # type: ignore[attr-defined]


def joined(*pieces: str) -> str:
    """Those that are there, each on its own lines."""
    return "\n".join(filter(None, pieces))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        finalize=lambda value: value if isinstance(value, Markup) else shown(str(value)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"pieces": pieces, "LEVELS": COLORED, "FAILED_LENGTH": FAILED_LENGTH}
    environment.filters |= {"signed": signed, "level_name": level_name, "says": says}
    return environment


def signed(score: float) -> str:
    """A score with its sign; the minus is the one that is read aloud.

    >>> signed(-0.25)
    '−0.250'
    """
    return number(score).replace("-", "−")


def says(view: ExplanationView) -> str:
    """What the model says of the text, in a few words."""
    if view.prediction.value is not None:
        return f"value {view.prediction.value:.4g}"
    return ", ".join(view.prediction.labels) or "no label"


def pieces(view: ExplanationView, spans: tuple[ColoredSpan, ...], style: str) -> Iterator[tuple[ColoredSpan, str]]:
    """The pieces of a text, each with its classes: those of a unit, or of what was not read."""
    edges = (0, len(spans) - 1) if view.is_cut and view.facts["unit"] != GIVEN else ()
    turns = any(is_rtl(span.text) for span in spans)
    for at, span in enumerate(spans):
        if span.score is not None:
            color = level_name(span.level) if span.level else None
            names = ("u", span.mark if style == "paper" else color, *_touches(spans, at, turns=turns))
            yield span, " ".join(f"um-{name}" for name in names if name)
        else:
            yield span, "um-unread" if at in edges and span.text.strip() else ""


def _touches(spans: tuple[ColoredSpan, ...], at: int, *, turns: bool) -> tuple[str, ...]:
    """The sides on which another unit stands directly beside it, so that it has no room of its own there."""
    before = at > 0 and spans[at - 1].score is not None
    after = at + 1 < len(spans) and spans[at + 1].score is not None
    if turns and not has_direction(spans[at].text):  # its neighbors' sides depend on all that is around it
        before = after = before or after
    left, right = (after, before) if is_rtl(spans[at].text) else (before, after)
    return ("left",) * left + ("right",) * right
