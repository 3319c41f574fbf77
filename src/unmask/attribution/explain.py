"""Many texts and one configuration: explanations in order, and failures in the places of texts that fail."""

from collections import deque
from collections.abc import Iterable, Iterator, Sized
from typing import Any

from ..engine import Job
from ..errors import ArgumentError, UnmaskError
from ..progress import Reporting, reporting
from ..questions import Scores
from ..results.explanation import Explanation
from ..text.request import Failure, Request, TextLike
from .attribute import AttributionConfig, PreparedText, attribution_job, to_explanation
from .session import ModelSession


def explain_texts(
    session: ModelSession, texts: Iterable[TextLike], config: AttributionConfig, *, progress: Reporting = None
) -> Iterator[Explanation | Failure]:
    """Each text's explanation, or why it has none, lazily and in order."""
    under_way = deque[tuple[str, PreparedText | UnmaskError]]()
    interruptions: list[Exception] = []

    def readable() -> Iterator[TextLike]:
        """The texts up to the first error of their source: what was read before it is explained first."""
        try:
            yield from texts
        except Exception as error:
            interruptions.append(error)

    def jobs() -> Iterator[Job[Scores] | UnmaskError]:
        for text in readable():
            prepared = session.try_prepare(text, config)
            first = "" if isinstance(text, UnmaskError) else text.text if isinstance(text, Request) else text
            under_way.append((first, prepared))
            yield prepared if isinstance(prepared, UnmaskError) else attribution_job(prepared, config)

    with reporting(progress, total=len(texts) if isinstance(texts, Sized) else None) as report:
        for index, outcome in enumerate(session.engine.run(jobs(), progress=report)):
            text, prepared = under_way.popleft()
            error = prepared if isinstance(prepared, UnmaskError) else outcome.error
            if error is not None:
                yield Failure(index, text, error)
            elif isinstance(prepared, PreparedText):
                yield to_explanation(prepared, config, outcome)
    if interruptions:
        raise interruptions[0]


def check_several(texts: Iterable[Any]) -> None:
    """Refuse one text where several were expected."""
    if isinstance(texts, str | Request) or not isinstance(texts, Iterable):
        raise ArgumentError(
            f"several texts were expected, not one {type(texts).__name__}", hint="use explain for one text"
        )
