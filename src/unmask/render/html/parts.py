"""The template environment and its functions. Every text in a template is escaped."""

import base64
import hashlib
import html
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from ...text.segmentation import GIVEN
from ..captions import UNKNOWN
from ..colored_spans import LEVELS, ColoredSpan
from ..escape import shown
from ..lines import has_direction, is_rtl
from ..numbers import number
from ..view import ExplanationView

COLORED = (*range(-LEVELS, 0), *range(1, LEVELS + 1))
FAILED_LENGTH = 1000  # most characters of a failed text, which may be huge


def render(template: str, **context: object) -> str:
    """Render a template of this package."""
    return _environment().get_template(template).render(context)


@cache
def resource(name: str) -> str:
    """The text of a file in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        finalize=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"pieces": pieces, "LEVELS": COLORED, "FAILED_LENGTH": FAILED_LENGTH, "UNKNOWN": UNKNOWN}
    filters = (escaped, level_name, probability, says, signed, source_hash, unit_classes)
    environment.filters |= {function.__name__: function for function in filters}
    return environment


def escaped(value: object) -> Markup:
    """Escape a value for an element or a quoted attribute, and spell out control characters.

    >>> print(escaped("<b title='x'>" + chr(0)))
    &lt;b title=&#x27;x&#x27;&gt;\\x00
    """
    return value if isinstance(value, Markup) else Markup(html.escape(shown(str(value))))


def source_hash(content: str) -> Markup:
    """The hash that allows a style or a script in a content security policy."""
    return Markup(f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'")


def level_name(level: int) -> str:
    """The name of a color level in CSS.

    >>> level_name(3), level_name(-1)
    ('f3', 'a1')
    """
    return f"{'f' if level > 0 else 'a'}{abs(level)}"


def signed(score: float | str) -> str:
    """A signed number with a true minus sign, which screen readers read aloud.

    >>> signed(-0.25)
    '−0.25'
    """
    return (score if isinstance(score, str) else number(score)).replace("-", "−")


def probability(share: float) -> str:
    """A probability in percent, or in scientific notation if it is tiny.

    >>> probability(0.25), probability(0.00001)
    ('25.0%', '1e-5')
    """
    return f"{share:.1%}" if share >= 0.0005 else f"{share:.0e}".replace("e-0", "e-")


def says(view: ExplanationView) -> str:
    """The prediction in a few words."""
    if view.prediction.value is not None:
        return f"{view.display.value} {view.prediction.value:.4g}"
    return view.answer if view.continuations else ", ".join(view.prediction.labels) or "no label"


def pieces(view: ExplanationView, spans: tuple[ColoredSpan, ...], style: str) -> Iterator[tuple[ColoredSpan, str]]:
    """Each span of a text with its CSS classes; only units and text that the model did not read have classes."""
    edges = (0, len(spans) - 1) if view.is_cut and view.facts["unit"] != GIVEN else ()
    turns = any(is_rtl(span.text) for span in spans)
    for at, span in enumerate(spans):
        if span.score is not None:
            color = level_name(span.level) if span.level else None
            mark, unknown = span.mark if style == "paper" else color, "unknown" if span.is_unknown else None
            outlined = "outlined" if span.is_outlined else None
            names = ("u", mark, unknown, outlined, *_touches(spans, at, turns=turns))
            yield span, " ".join(f"um-{name}" for name in names if name)
        else:
            yield span, "um-unread" if at in edges and span.text.strip() else ""


def unit_classes(span: ColoredSpan, style: str) -> str:
    """The CSS classes of a unit."""
    color = level_name(span.level) if span.level else None
    flags = (span.is_unknown and "unknown", span.is_outlined and "outlined", not span.is_computed and "missing")
    return " ".join(f"um-{name}" for name in ("u", span.mark if style == "paper" else color, *flags) if name)


def _touches(spans: tuple[ColoredSpan, ...], at: int, *, turns: bool) -> tuple[str, ...]:
    """The sides on which a unit touches another one."""
    before = at > 0 and spans[at - 1].score is not None
    after = at + 1 < len(spans) and spans[at + 1].score is not None
    if turns and not has_direction(spans[at].text):  # the side of each neighbor depends on the context
        before = after = before or after
    left, right = (after, before) if is_rtl(spans[at].text) else (before, after)
    return ("left",) * left + ("right",) * right
