"""A whole drawing in the neutral form of placed parts, of which SVG and PNG are written."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import ArgumentError
from . import layout
from .blocks import Bar, Block, Item, below, beside
from .captions import DOWN, UP, number
from .colored_spans import ColoredSpan
from .layout import Setting
from .typeset import DIM, GREY, INK, LABEL, RULE, SMALL, TIGHT, Look, colored, label, paragraph
from .view import ExplanationView, Row, Rows

MARGIN = 28.0
GAP = 22.0  # between blocks
COLUMNS = 640  # from this width on the prediction and the scores stand beside each other
NAMES = 168.0  # the room of the names of a comparison's rows
LEAST = 320  # narrower drawings would not hold a comparison
PLACES = ("first", "second")  # of the texts of a pair


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing: its size, what stands where, and what it is in words."""

    width: float
    height: float
    items: tuple[Item, ...]
    title: str
    description: str


def sheet(drawn: ExplanationView, look: Look, *, width: float, note: str = "") -> Sheet:
    """The drawing of one explanation."""
    inner = _inner(width)
    blocks = [
        *_texts(drawn, look, width=inner),
        _rule(inner),
        _numbers(drawn, look, width=inner),
        _rule(inner),
        below(_remarks([drawn.sentence or ""], drawn.notes, look, width=inner), gap=8.0),
        below(_legend([*drawn.legend(look.style), note], look, width=inner), gap=6.0),
    ]
    unit, heading = drawn.facts["unit"], drawn.heading
    title = f"{unit} by {unit}: {heading[0].lower()}{heading[1:]}"
    return _sheet(below(blocks, gap=GAP), title, _description(drawn), width=width)


def comparison(rows: Rows, look: Look, *, width: float, note: str = "") -> Sheet:
    """The drawing of several explanations of a text, below each other."""
    inner, first = _inner(width), rows.rows[0]
    lines: list[Block] = []
    for row in rows.rows:
        lines += [_rule(inner), _row(row, look, width=inner)]
    blocks = [
        below(lines[1:], gap=GAP / 2),
        _rule(inner),
        _prediction(first.picture, look, width=min(inner, 360.0)),
        below(_remarks(rows.remarks, rows.notes, look, width=inner), gap=8.0),
        below(_legend([*rows.legend(look.style), note], look, width=inner), gap=6.0),
    ]
    names = ", ".join(row.name for row in rows.rows)
    return _sheet(
        below(blocks, gap=GAP),
        f"A comparison by {rows.over}: {names}",
        " ".join([*map(_row_description, rows.rows), *rows.remarks, *rows.notes, *rows.legend(look.style)[:-1]]),
        width=width,
    )


def _inner(width: float) -> float:
    if width < LEAST:
        raise ArgumentError(f"a drawing cannot be {width:g} wide: it needs at least {LEAST}")
    return width - 2 * MARGIN


def _sheet(block: Block, title: str, description: str, *, width: float) -> Sheet:
    return Sheet(width, float(round(block.height + 2 * MARGIN)), block.moved(MARGIN, MARGIN).items, title, description)


def _texts(drawn: ExplanationView, look: Look, *, width: float) -> Iterator[Block]:
    for segment, shades in enumerate(drawn.texts):
        if segment:
            yield paragraph("and", look, width=width, size=SMALL, ink=DIM)
        yield colored(shades, look, width=width, is_cut=drawn.is_cut)


def _rule(width: float) -> Block:
    return Block((Item((Bar(x=0.0, y=0.0, width=width, height=1.0, fill=RULE),)),), 1.0)


def _numbers(drawn: ExplanationView, look: Look, *, width: float) -> Block:
    if width < COLUMNS:
        return below([_prediction(drawn, look, width=width), _top(drawn, look, width=width)], gap=GAP)
    half = (width - 2 * GAP) / 2
    left, right = _prediction(drawn, look, width=half), _top(drawn, look, width=half)
    return beside((0.0, left), (half + 2 * GAP, right))


def _heading(text: str, look: Look, *, width: float) -> Block:
    return below([paragraph(text, look, width=width, size=SMALL, ink=DIM), Block((), 4.0)])


def _prediction(drawn: ExplanationView, look: Look, *, width: float) -> Block:
    """The model's answer as bars, or as a number."""
    heading = _heading("Prediction", look, width=width)
    if drawn.value is not None:
        return below([heading, label(f"value {drawn.value:.4g}", look, width=width, bold=True)])
    names = _names_width([one.label for one in drawn.shares], look, width=width * 0.42)
    lines = [
        _bar_line(
            label(one.label, look, width=names, bold=one.holds),
            label(f"{one.share:.1%}", look, width=56.0, right=True, bold=one.holds),
            _measure(one.share, width=width - names - 80.0, fill=INK if one.holds else GREY),
            at=(0.0, names + 10.0, names + 80.0),
        )
        for one in drawn.shares
    ]
    return below([heading, *lines], gap=3.0)


def _top(drawn: ExplanationView, look: Look, *, width: float) -> Block:
    """The largest scores with their units and bars."""
    heading = _heading("Largest scores", look, width=width)
    if drawn.is_flat:
        return below([heading, label(f"0.000 every {drawn.facts['unit']}", look, width=width)], gap=3.0)
    names = _names_width([shade.text for shade in drawn.top], look, width=width * 0.42)
    lines = [_top_line(shade, drawn, look, names=names, width=width) for shade in drawn.top]
    if drawn.left:
        lines.append(beside((68.0, label(f"and {drawn.left} smaller", look, width=width - 68.0, ink=DIM))))
    return below([heading, *lines], gap=3.0)


def _top_line(shade: ColoredSpan, drawn: ExplanationView, look: Look, *, names: float, width: float) -> Block:
    where = 62.0 if len(drawn.texts) > 1 else 0.0
    name = beside(
        (0.0, label(shade.text, look, width=names)),
        (names + 8.0, label(PLACES[shade.segment] if where else "", look, width=58.0, ink=DIM)),
    )
    color = look.palette.color(shade.level).paper if look.style == "shades" else GREY
    start = 68.0 + names + 10.0 + where
    return _bar_line(
        label(number(shade.score or 0.0), look, width=58.0, right=True),
        name,
        _measure(abs(shade.strength), width=width - start, fill=color or RULE),
        at=(0.0, 68.0, start),
    )


def _names_width(names: list[str], look: Look, *, width: float) -> float:
    """The room that the widest of some names takes, up to `width`."""
    setting = Setting(width=width, size=LABEL, bold=True, advance=look.advance)
    return min(width, max(layout.measured(layout.spelled(name).replace("\n", " "), setting) for name in names))


def _bar_line(*blocks: Block, at: tuple[float, float, float]) -> Block:
    return beside(*zip(at, blocks, strict=True))


def _measure(share: float, *, width: float, fill: str) -> Block:
    """A bar as long as a share of its width."""
    bar = Bar(x=0.0, y=(LABEL * TIGHT - 10.0) / 2, width=max(1.0, share * width), height=10.0, fill=fill, radius=2.0)
    return Block((Item((bar,)),), LABEL * TIGHT)


def _remarks(sentences: list[str], notes: list[str], look: Look, *, width: float) -> Iterator[Block]:
    yield from (paragraph(sentence, look, width=width) for sentence in filter(None, sentences))
    yield from (paragraph(note, look, width=width, bold=True) for note in notes)


def _legend(texts: list[str], look: Look, *, width: float) -> Iterator[Block]:
    for text in filter(None, texts):
        unparted = text.replace(f"{UP} ", f"{UP}\u00a0").replace(f"{DOWN} ", f"{DOWN}\u00a0")
        yield paragraph(unparted, look, width=width, size=SMALL, ink=DIM)


def _row(row: Row, look: Look, *, width: float) -> Block:
    """A row's name and numbers, and beside them its text."""
    about = [Block((), 5.0), paragraph(row.name, look, width=NAMES - 20.0, bold=True)]  # as low as the larger text
    about += [paragraph(fact, look, width=NAMES - 20.0, size=SMALL, ink=DIM) for fact in (*row.costs, *row.errors)]
    text = below(_texts(row.picture, look, width=width - NAMES), gap=2.0)
    return beside((0.0, below(about)), (NAMES, text))


def _description(drawn: ExplanationView) -> str:
    answer = [f"{one.label} {one.share:.1%}" for one in drawn.shares] if drawn.value is None else [f"{drawn.value:.4g}"]
    parts = [f"Prediction: {', '.join(answer)}.", _largest(drawn), drawn.sentence or "", *drawn.notes]
    return " ".join(filter(None, [*parts, drawn.meaning]))


def _row_description(row: Row) -> str:
    return f"{row.name}: {', '.join([*row.costs, *row.errors])}. {_largest(row.picture)}"


def _largest(drawn: ExplanationView) -> str:
    if drawn.is_flat:
        return f"Every {drawn.facts['unit']} has the score 0."
    return f"Largest scores: {', '.join(f'{shade.text} {number(shade.score or 0.0)}' for shade in drawn.top)}."
