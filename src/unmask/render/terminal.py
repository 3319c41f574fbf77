"""An explanation for the terminal, as something that rich can print."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..explanation import Explanation
from ..targets import Contrast
from .escape import shown
from .shades import Shade, shades, strongest

# Blue and orange are told apart by all common kinds of color vision; each pair of ink and paper is readable.
FOR = ("#000000 on #d1e5f0", "#000000 on #92c5de", "#000000 on #4393c3", "#ffffff on #2166ac")
AGAINST = ("#000000 on #fee0b6", "#000000 on #fdb863", "#000000 on #e08214", "#ffffff on #a04d05")
UP, DOWN = "▲", "▼"  # the sign without color
PLACES = ("first", "second")  # of the texts of a pair
TOP = 8
CONTEXT = 400  # characters of what was not read that are drawn
BAR = 20

QUANTITIES = {
    "log_odds": "log-odds (log p/(1-p))",
    "log_probability": "log-probability",
    "probability": "probability",
    "logit": "logit",
    "value": "value",
}


def drawing(explanation: Explanation) -> RenderableType:
    """The text with its words colored, the prediction, the largest scores, and what the numbers mean."""
    parts: list[RenderableType] = [*_texts(explanation), "", _prediction(explanation), "", _top(explanation)]
    if explanation.interaction is not None:
        parts += ["", Text(shown(explanation.interaction.sentence))]
    parts += [Text(f"Note: {shown(warning)}", style="bold") for warning in explanation.warnings]
    return Group(*parts, "", _meaning(explanation), _legend(explanation))


def target_name(explanation: Explanation) -> str:
    """The target in a few words."""
    target = explanation.target
    return f"{target.label} rather than {target.against}" if isinstance(target, Contrast) else target


def quantity(explanation: Explanation) -> str:
    """What is explained, in words."""
    target, name = explanation.target, QUANTITIES[explanation.scale]
    if explanation.scale == "value":
        return "model's value"
    if not isinstance(target, Contrast):
        return f"{name} of {'whatever is largest' if target == 'max' else target}"
    if explanation.scale in ("log_odds", "log_probability"):
        return f"log p({target.label})/p({target.against})"
    return f"{name} of {target.label} minus that of {target.against}"


def _texts(explanation: Explanation) -> Iterator[RenderableType]:
    """The text; of a pair both, the second behind a word that says so."""
    for segment in range(len(explanation.texts)):
        if segment:
            yield Text("\nand\n", style="dim")
        text = Text(overflow="fold")
        for shade in shades(explanation, segment):
            cut = explanation.truncated and shade.score is None and len(shade.text) > CONTEXT
            text.append(shown(shade.text[:CONTEXT] if cut else shade.text), style=_style(shade))
            if cut:
                text.append(f"… {len(shade.text) - CONTEXT:,} more characters ", style="dim")
            if shade.level:
                text.append(UP if shade.level > 0 else DOWN, style=_style(shade))
        yield Padding(text, (0, 2), expand=False)


def _style(shade: Shade) -> str:
    if not shade.level:
        return ""
    return (FOR if shade.level > 0 else AGAINST)[abs(shade.level) - 1]


def _prediction(explanation: Explanation) -> RenderableType:
    prediction = explanation.prediction
    if prediction.label is None:
        return Text(f"  value {prediction.value:.4g}")
    table = Table.grid(padding=(0, 1))
    for label, share in sorted(prediction.probabilities.items(), key=lambda pair: -pair[1])[:TOP]:
        style = "bold" if label in prediction.labels else ""
        table.add_row(" ", Text(shown(label), style), Text(f"{share:6.1%}", style), "█" * round(share * BAR))
    return table


def _top(explanation: Explanation) -> RenderableType:
    full = strongest(explanation)
    table = Table.grid(padding=(0, 1))
    table.add_column()
    table.add_column(justify="right")
    for unit, score in explanation.top(TOP):
        shade = Shade(unit.text, score, score / full if full else 0.0)
        bar = Text("█" * round(abs(shade.strength) * BAR), style=_style(shade).rpartition(" ")[2])
        name = Text(shown(unit.text).replace("\n", " "))
        where = [Text(PLACES[unit.segment], style="dim")] if len(explanation.texts) > 1 else []
        table.add_row(" ", f"{score:+.3f}", name, *where, bar)
    if (left := len(explanation.units) - TOP) > 0:
        table.add_row(" ", "", Text(f"and {left} smaller", style="dim"))
    return table


def _meaning(explanation: Explanation) -> RenderableType:
    token = explanation.baseline_token or "a zero vector"
    what = "text" if explanation.text_pair is None else "pair"
    return Text(
        f"A score is the {shown(quantity(explanation))} for the {what}, minus the same with that "
        f"{shown(explanation.unit)} replaced by {shown(token)}. {UP} speaks for it, {DOWN} against it. "
        f"Full color is {strongest(explanation):.3g}."
    )


def _legend(explanation: Explanation) -> RenderableType:
    method, passes = explanation.method, explanation.passes
    unused = "" if method.uses_baseline else "(only for what all carry together)"
    settings = "".join(f" {name}={value}" for name, value in method.settings.items())
    facts = {
        "model": f"{explanation.model.name} {explanation.model.hash.removeprefix('sha256:')[:12]}",
        "target": target_name(explanation),
        "scale": explanation.scale,
        "unit": explanation.unit,
        "baseline": " ".join(filter(None, [explanation.baseline, explanation.baseline_token, unused])),
        "method": f"{method.name}{settings}",
        "passes": f"{passes.forward} forward" + (f", {passes.backward} backward" if passes.backward else ""),
    }
    return Text(shown(" · ".join(f"{name} {value}" for name, value in facts.items())), style="dim")
