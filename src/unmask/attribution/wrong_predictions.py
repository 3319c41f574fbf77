"""Finds the texts whose prediction differs from their gold label: one forward pass per text, before any explanation."""

import warnings
from collections import deque
from collections.abc import Generator, Iterable, Iterator

from torch import Tensor

from ..engine import Job
from ..errors import UnmaskError, UnmaskWarning
from ..questions import Perturbation, Question, ask_outputs
from ..text.request import Request
from .attribute import AttributionConfig, PreparedText
from .session import Given, ModelSession, until_error


def wrong_texts(session: ModelSession, texts: Iterable[Given], config: AttributionConfig) -> Iterator[Given]:
    """Yield, lazily and in order, the texts that are predicted wrongly or cannot be predicted."""
    under_way, errors, unknown = deque[tuple[Given, int | None]](), list[Exception](), set[str]()

    def jobs() -> Iterator[Job[int] | UnmaskError]:
        for text in until_error(texts, errors):
            prepared = session.try_prepare(text, config)
            if isinstance(prepared, UnmaskError):
                under_way.append((text, None))
                yield prepared
                continue
            gold = prepared.head.gold_index(prepared.label)
            if gold is not None and prepared.head.activation != "none":
                under_way.append((text, gold))
                yield Job(prepared, _predicted(prepared))
            elif isinstance(text, Request) and text.label is not None:
                unknown.add(str(text.label))

    for outcome in session.engine.run(jobs()):
        text, gold = under_way.popleft()
        if outcome.error is not None or outcome.result != gold:
            yield text
    if unknown:
        named = ", ".join(map(repr, sorted(unknown)[:5]))
        warnings.warn(f"skipped texts whose gold label is not one of the model's: {named}", UnmaskWarning, stacklevel=2)
    if errors:
        raise errors[0]


def _predicted(prepared: PreparedText) -> Generator[Question, Tensor, int]:
    (whole,) = yield from ask_outputs([Perturbation()])
    return prepared.head.predicted(whole)
