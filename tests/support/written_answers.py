"""Explanations of answers of every kind to draw, with known numbers and no model."""

import math
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from unmask import Contrast, Explanation
from unmask.results.answers import WithoutContext
from unmask.results.deciding_sets import DecidingSet, DecidingSets, SetStep
from unmask.results.metadata import MethodInfo, ModelInfo, OutputToken, Passes, SegmentInfo, Unit

SUMMARY = "Score = {quantity} with the {unit} minus {scale} without it (replaced by {baseline})."
TOKENS = (" She", " was", " very", " sad", ".", "\n", "Her", " mom", "my")
EFFECTS = {"lost": {3: 3.0, 2: 0.4}, "Lily": {0: 0.9, 6: 1.5}, "ball": {3: -0.35, 8: 0.6}, ".": {0: 5.0, 4: 0.2}}
CHAT = [("system", "Be kind."), ("user 1", "Lily lost her ball."), ("assistant", "Oh no."), ("user 2", "And then?")]
DOCUMENTS = [
    ("a.txt", "Lily lost her ball. It is red."),
    ("b.txt", "Tom has a car."),
    ("question", "Whose ball is it?"),
]


def tokens_of(names: tuple[str, ...], odds: list[float]) -> tuple[OutputToken, ...]:
    ends = np.cumsum([len(name) for name in names]).tolist()
    places = zip(names, ends, odds, strict=True)
    return tuple(
        OutputToken(at, name, end - len(name), end, 1 / (1 + math.exp(-odd)))
        for at, (name, end, odd) in enumerate(places)
    )


def written(
    segments: list[tuple[str, str]], names: tuple[str, ...] = TOKENS, *, pattern: str = r"\w+|[^\w\s]", **fields: Any
) -> Explanation:
    """A prompt split into words, and an answer whose tokens lose log-odds without some of the words."""
    texts = (
        *(SegmentInfo(text, name) for name, text in segments),
        SegmentInfo("".join(names), "answer", role="answer"),
    )
    units = tuple(
        Unit(found[0], found.start(), found.end(), at)
        for at, (_, text) in enumerate(segments)
        for found in re.finditer(pattern, text)
    )
    whole = [1.5 - 0.25 * at for at in range(len(names))]
    without = tuple(
        tuple(odd - EFFECTS.get(unit.text, {}).get(at, 0.01 * (at - 2)) for at, odd in enumerate(whole))
        for unit in units
    )
    blocks = [tuple(odd - 0.3 * (at + 1) for odd in whole) for at in range(len(segments))]
    found = Explanation(
        segments=texts,
        without_segments=(*blocks, None) if len(blocks) > 1 else None,
        units=units,
        scores=(0.0,) * len(units),
        target="answer",
        target_outputs=tuple(range(len(names))),
        scale="log_probability",
        outputs=names,
        output_tokens=tokens_of(names, whole),
        continuation="".join(names),
        activation="token",
        whole=tuple(whole),
        at_baseline=tuple(odd - 4.0 for odd in whole),
        without=without,
        method=MethodInfo("sig", summary=SUMMARY),
        unit="word",
        baseline="pad",
        baseline_token="<pad>",
        model=ModelInfo("toy", "sha256:0123456789abcdef"),
        truncated=False,
        passes=Passes(len(units) + 2),
        seconds=0.0,
        versions={},
        **fields,
    )
    return scored(found)


def scored(found: Explanation) -> Explanation:
    """The explanation with the scores that follow from its raw outputs."""
    return found.toward(0, scale="probability").toward("answer", scale="log_probability")


def prompt(text: str = "Once upon a time, Lily lost her ball.", **fields: Any) -> Explanation:
    return written([("prompt", text)], **fields)


def with_detail() -> Explanation:
    """Documents scored by sentence, with the words of one sentence scored too."""
    sentences = written(DOCUMENTS, pattern=r"[^.?]+[.?]")
    odds = [[odd - (2.0 - at) * 0.4 for odd in sentences.whole] for at in range(len(sentences))]
    sentences = scored(replace(sentences, unit="sentence", without=tuple(map(tuple, odds))))
    words = written(DOCUMENTS)
    assert words.without is not None
    unknown = (math.nan,) * len(words.outputs)
    rows = tuple(row if at < 5 else unknown for at, row in enumerate(words.without))
    return replace(sentences, detail=scored(replace(words, without=rows)))


def with_answer_units() -> Explanation:
    """An explanation in which all tokens of the answer except the last are units too."""
    found = prompt()
    assert found.without is not None
    names = [token.text.strip() or token.text for token in found.output_tokens[:-1]]
    ends = [token.end for token in found.output_tokens]
    own = [Unit(name, end - len(name), end, 1) for name, end in zip(names, ends, strict=False)]
    rows = [tuple(odd - (at > place) for at, odd in enumerate(found.whole)) for place in range(len(own))]
    units, scores = (*found.units, *own), (*found.scores, *([0.0] * len(own)))
    blocks = tuple(odd - 1.0 for odd in found.whole), tuple(odd - 0.5 * (at > 0) for at, odd in enumerate(found.whole))
    rows_of_units = (*found.without, *rows)
    return scored(replace(found, units=units, without=rows_of_units, scores=scores, without_segments=blocks))


def contrast() -> Explanation:
    """Two continuations of one prompt."""
    found, outputs = prompt(), (" She was sad.", " She was happy.")
    without = tuple((-6.0 - 0.5 * (unit.text == "lost"), -9.0 + 2.0 * (unit.text == "lost")) for unit in found.units)
    return replace(
        found,
        segments=(found.segments[0], SegmentInfo(outputs[0], "answer", role="answer")),
        outputs=outputs,
        output_tokens=(),
        output_lengths=(4, 4),
        continuation=None,
        target_outputs=None,
        activation="sequence",
        whole=(-6.0, -9.0),
        at_baseline=(-12.0, -12.0),
        without=without,
        target=Contrast(*outputs),
        scores=tuple(-6.0 - one - (-9.0 - other) for one, other in without),
    )


def decided() -> Explanation:
    """An explanation with a set of words without which the model would write another token."""
    found = prompt().toward("sad")
    assert found.without is not None
    lost = [unit.text for unit in found.units].index("lost")
    step = SetStep(lost, " happy", -3.0, 0.1, found.without[lost])
    one = DecidingSet((lost,), "label", (step,), " happy", 0.4, is_minimal=True, is_smallest=True)
    return replace(found, sets=DecidingSets(one, None, Passes(3)))


@cache
def answers() -> dict[str, Explanation]:
    documents = written(DOCUMENTS)
    lost = tuple(odd - 0.5 for odd in documents.whole)
    value = float(np.log(1 / (1 + np.exp(-np.array(lost)))).sum())
    return {
        "answer": prompt(),
        "answer-phrase": prompt().toward("very sad"),
        "answer-chat": written(CHAT),
        "answer-documents": replace(documents, without_context=WithoutContext(lost, value, 1.0)),
        "answer-detail": with_detail(),
        "answer-all": with_answer_units(),
        "answer-contrast": contrast(),
        "answer-next": written([("prompt", "Lily lost her")], (" ball",)),
        "answer-decided": decided(),
    }


def hostile(text: str) -> Explanation:
    """An answer in which every text that a user or a model can choose is hostile."""
    half = (len(text) + 1) // 2
    found = prompt()
    assert found.without is not None
    token = (text[:half], text[half:]) if len(text) > 1 else (text,)
    odds = [1.0, -1.0][: len(token)]
    return replace(
        found,
        segments=(
            SegmentInfo(text, name=text),
            SegmentInfo("x", name=text),
            SegmentInfo(text, "answer", role="answer"),
        ),
        units=(Unit(text[:half], 0, half), Unit("x", 0, 1, 1)),
        scores=(1.0, 0.5),
        outputs=token,
        output_tokens=tokens_of(token, odds),
        continuation=text,
        target_outputs=tuple(range(len(token))),
        whole=tuple(odds),
        at_baseline=tuple(odds),
        without=(tuple(odd - 1 for odd in odds), tuple(odd - 0.5 for odd in odds)),
        model=ModelInfo(text, "sha256:0123456789abcdef"),
        method=MethodInfo(text, {text: text}),
        warnings=(text,),
    )
