"""The captions of a drawing: what a score means, what colors mean, and the settings behind the numbers."""

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from ..results.answers import is_answer
from ..results.deciding_sets import DecidingSet
from ..results.explanation import Explanation
from ..tasks.targets import ANSWER, Contrast
from ..tasks.task import task_facts
from ..text.spans import shorten
from .colored_spans import markable

ERRORS = ("residuals", "standard errors", "sum")  # the facts that report errors
SEPARATOR = " · "
UNKNOWN = " = unknown to the tokenizer."
UP, DOWN = "▲", "▼"  # signs used where there is no color
EXACT = "exact"  # shown instead of an error of 0
BARE = ("method", "scale", "unit", "baseline", "model")  # settings shown without their names on the terminal's line
TAU = "Kendall's tau: agreement with the first row's ranking, from -1 to +1."
SCALED = "Colors are scaled per row."
LARGEST, RANKED = "Largest scores", "Top {}s, in the method's own order"
NAMED = 8  # how many units of a set its sentence names

SetKind = Literal["necessary", "sufficient"]
WAYS: dict[SetKind, str] = {"necessary": "Masked one by one", "sufficient": "Shown one by one"}


def method_sentence(explanation: Explanation) -> str:
    """A sentence on what a score means, made from the method's summary."""
    method, unit, quantity = explanation.method, explanation.unit, explanation.quantity
    if not method.summary:
        return f"Score = the {unit}'s attribution to the {quantity} by {method.name}."
    values = {
        "quantity": quantity,
        "scale": "the same" if isinstance(explanation.target, Contrast) else explanation.scale.replace("_", "-"),
        "unit": unit,
        "baseline": explanation.baseline_token or "a zero vector",
        "text": "prompt" if is_answer(explanation) else {1: "text", 2: "pair"}.get(len(explanation.segments), "texts"),
    }
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), method.summary)


def target_name(explanation: Explanation) -> str:
    """The target, worded for use inside a sentence: a label, "the answer", or a quoted phrase from the answer."""
    target = explanation.target
    if not is_answer(explanation):
        task = task_facts(explanation.task)
        if target in task.display.whole:
            return f"the {target}"
        return quoted(str(target)) if task.spans == "answer" or task.display.is_quoted else str(target)
    if isinstance(target, Contrast):
        return f"{quoted(str(target.label))} rather than {quoted(str(target.against))}"
    is_whole = len(explanation.target_outputs or ()) == len(explanation.outputs)
    is_whole &= target == ANSWER or len(explanation.outputs) > 1
    return f"the {ANSWER}" if is_whole else quoted(target)


def heading(explanation: Explanation) -> str:
    """The title of a drawing."""
    return f"What {'supports' if explanation.method.is_signed else 'matters to'} {target_name(explanation)}"


def gold(explanation: Explanation) -> str:
    """The gold label, and whether the prediction is correct; empty without a gold label."""
    if explanation.gold is None:
        return ""
    match explanation.is_correct:
        case None:
            return f"Gold label: {explanation.gold}."
        case is_correct:
            return f"Gold label: {explanation.gold}; the prediction is {'correct' if is_correct else 'wrong'}."


def note(warning: str, *, on: str = "") -> str:
    """Word a warning as a sentence; `on` names the rows that it applies to.

    >>> [note("the text was cut"), note("Is it so?", on="sig")]
    ['Note: the text was cut.', 'Note on sig: Is it so?']
    """
    end = "" if warning.rstrip().endswith((".", "!", "?", "…")) else "."
    return f"Note{' on ' * bool(on)}{on}: {warning}{end}"


def line(facts: dict[str, str]) -> str:
    """Join all facts (settings and known errors) on one line."""
    return SEPARATOR.join(value if value == EXACT else f"{name} {value}" for name, value in facts.items())


def settings(facts: dict[str, str]) -> str:
    """The settings on one short line, for the terminal, without the hash and the target, which the legend names.

    >>> settings({"model": "bert 0123456789ab", "target": "good", "method": "sig", "passes": "9 forward"})
    'sig · bert · passes 9 forward'
    """
    known = facts | {
        "model": facts.get("model", "").rpartition(" ")[0],
        "scale": facts.get("scale", "").replace("_", "-"),
    }
    others = {name: value for name, value in facts.items() if name not in (*BARE, "target")}
    return SEPARATOR.join(filter(None, [*(known.get(name, "") for name in BARE), line(others)]))


def signs(target: str, *, is_signed: bool) -> str:
    """The meaning of the signs."""
    return (
        f"{UP} supports {target}, {DOWN} opposes it."
        if is_signed
        else f"{UP} matters to {target}; scores have no sign."
    )


def marks(unit: str) -> str:
    """The meaning of the marks of the style `paper`."""
    return f"Bold and underlined: the {unit} with the largest score. Bold: the top fifth, excluding punctuation."


def keys(explanation: Explanation, *, full: float) -> dict[str, tuple[str, ...]]:
    """The meaning of colors, signs and marks, by style; `full` is the score that gets the strongest color."""
    unit, target = explanation.unit, target_name(explanation)
    if not any(explanation.scores):
        return dict.fromkeys(("shades", "signs", "paper"), (f"Every {unit} scores 0.",))
    meaning = signs(target, is_signed=explanation.method.is_signed)
    supporters = "Only punctuation" if any(score > 0 for score in explanation.scores) else f"No {unit}"
    unmarked = f"{supporters} supports {target}, so nothing is marked."
    return {
        "shades": (meaning, f"Strongest color = {full:.3g}."),
        "signs": (meaning,),
        "paper": (marks(unit) if markable(explanation) else unmarked,),
    }


def facts(explanation: Explanation) -> dict[str, str]:
    """The settings that the numbers depend on, and known errors."""
    method = explanation.method
    settings = "".join(f" {name}={value}" for name, value in method.settings.items() if value is not None)
    named = {
        "model": f"{explanation.model.name} {explanation.model.hash.removeprefix('sha256:')[:12]}",
        "target": target_name(explanation),
        "scale": explanation.scale,
        "unit": explanation.unit,
        "baseline": " ".join(filter(None, [explanation.baseline, explanation.baseline_token])),
        **({} if method.uses_baseline else {"scores": "do not use the baseline"}),
        "method": f"{method.name}{settings}",
        "passes": _passes(explanation),
    }
    if explanation.residuals is not None:
        named["residuals"] = _largest(explanation.residuals)
    if explanation.standard_errors is not None:
        named["standard errors"] = _largest(explanation.standard_errors)
    if method.adds_up:
        named["sum"] = f"{np.nansum(explanation.scores):+.3g} of {explanation.together:+.3g}"
    return named


def _passes(explanation: Explanation) -> str:
    """The number of passes for the scores, and for the search for deciding sets."""
    passes, sets = explanation.passes, explanation.sets
    own = f"{passes.forward} forward, {passes.backward} backward" if passes.backward else f"{passes.forward} forward"
    if sets is None or not sets.passes.forward:
        return own
    return f"{own.removesuffix(' forward')} + {sets.passes.forward} for sets"


def detail_heading(computed: int, words: int) -> str:
    """A heading that says how many words of a text were scored in addition to its sentences.

    >>> detail_heading(20, 40), detail_heading(40, 40)
    ('20 of 40 words, in the sentences that matter most; the others were not computed', 'All 40 words')
    """
    if computed == words:
        return f"All {words:,} words"
    return f"{computed:,} of {words:,} words, in the sentences that matter most; the others were not computed"


def at_baseline(numbers: str, unit: str) -> str:
    """The caption for the prediction with all units masked."""
    return f"all {unit}s masked: {numbers}"


def set_named(kind: SetKind, names: Sequence[str], unit: str) -> str:
    """The beginning of a sentence about a set; a long list of units is shortened.

    >>> set_named("necessary", ['"gripping"'], "word"), set_named("sufficient", ['"shot"', '"film"'], "word")
    ('Without "gripping"', '"shot" and "film" alone')
    """
    shown = list(names[:NAMED])
    shown += [f"{len(names) - NAMED} more {unit}{'s' * (len(names) > NAMED + 1)}"] if len(names) > NAMED else []
    listed = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    return f"Without {listed}" if kind == "necessary" else f"{listed} alone"


def set_start(kind: SetKind, unit: str) -> str:
    """The name of the state before the first step."""
    return "Whole text" if kind == "necessary" else f"All {unit}s masked"


def set_note(one: DecidingSet, unit: str) -> str:
    """A note on whether a smaller set may exist; empty if unknown."""
    size = len(one.units)
    if one.stopped and size > 1:
        return f" (search stopped early; fewer {unit}s may be enough)"
    if not one.is_smallest or size == 1:
        return ""
    return {2: f" (no single {unit} does this)", 3: f" (no two {unit}s do this)"}.get(
        size, " (no smaller set does this)"
    )


def set_values(kind: SetKind, whole: str, after: str, masked: str, unit: str) -> str:
    """The target's value with a set of units masked, with only that set shown, for the whole text, and with all masked.

    >>> set_values("necessary", "3.2", "0.7", "0.6", "word")
    '3.2 → 0.7 (all words masked: 0.6)'
    >>> set_values("sufficient", "3.2", "3.1", "0.6", "word")
    '3.1 (whole text: 3.2; all words masked: 0.6)'
    """
    if kind == "necessary":
        return f"{whole} → {after} ({at_baseline(masked, unit)})"
    return f"{after} (whole text: {whole}; {at_baseline(masked, unit)})"


def outline(explanation: Explanation) -> str:
    """The meaning of outlined units; empty if none is outlined."""
    necessary = explanation.sets.necessary if explanation.sets else None
    if necessary is None and explanation.prediction.spans:
        return ": the answer." if task_facts(explanation.task).spans == "answer" else ": tagged by the model."
    if necessary is None:
        return ""
    effect = "decisive" if necessary.question == "label" else "responsible for most of the change"
    return f": {effect}{' together' * (len(necessary.units) > 1)}."


def quoted(text: str, context: str = "", *, length: int = 40) -> str:
    """Quote a unit for use inside a sentence, shortened; the context distinguishes it from equal units.

    >>> quoted("a film", " (after the)")
    '"a film" (after the)'
    >>> print(quoted('"', " (after the)"))
    '"' (after the)
    """
    shown = shorten(" ".join(text.split()) or repr(text)[1:-1], length)
    mark = "'" if '"' in shown and "'" not in shown else '"'
    return f"{mark}{shown}{mark}{context}"


def redundancy(names: Sequence[str], values: Sequence[float]) -> str:
    """The most redundant unit; empty if none is.

    >>> redundancy(["gripping", "shot"], [1.25, 0.5])
    'Most redundant: "gripping" (+1.25).'
    """
    largest = max(range(len(values)), key=values.__getitem__, default=None)
    if largest is None or values[largest] <= 0:
        return ""
    return f"Most redundant: {quoted(names[largest])} ({values[largest]:+.3g})."


def _largest(errors: Sequence[float]) -> str:
    largest = max(map(abs, errors))
    return f"up to {largest:.1g}" if largest else EXACT


def shared(rows: Sequence[Sequence[str]]) -> list[str]:
    """The texts that all rows share, in the order of the first row.

    >>> shared([["a", "b"], ["b", "c"]])
    ['b']
    """
    first = rows[0] if rows else ()
    return [text for text in dict.fromkeys(first) if all(text in row for row in rows)]


def own(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Each row without the texts that all rows share.

    >>> own([["a", "b"], ["b", "c"]])
    [['a'], ['c']]
    """
    common = shared(rows)
    return [[text for text in row if text not in common] for row in rows]


def by_row(names: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Every text with the names of the rows that have it; texts that all rows share come first, without names.

    >>> by_row(["one", "two", "three"], [["a", "b"], ["b"], ["a", "b"]])
    {'b': '', 'a': 'one, three'}
    """
    pairs = list(zip(names, own(rows), strict=True))
    some = {text: ", ".join(name for name, row in pairs if text in row) for _, row in pairs for text in row}
    return dict.fromkeys(shared(rows), "") | some
