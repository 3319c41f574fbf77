"""Explains texts lazily and in order: prepares them, runs their jobs, and reports progress."""

from collections import deque
from collections.abc import Iterable, Iterator, Sized

from ..engine import Job, JobGroup
from ..errors import UnmaskError
from ..progress import GenerationReport, Reporting, reporting
from ..questions import Scores
from ..results.explanation import Explanation
from ..text.request import Failure, Request, TextLike, as_request
from .attribute import AttributionConfig, PreparedText, to_explanation
from .session import ModelSession, until_error


def explain_texts(
    session: ModelSession, texts: Iterable[TextLike], config: AttributionConfig, *, progress: Reporting = None
) -> Iterator[Explanation | Failure]:
    """Explain texts lazily and in order; yield a `Failure` for each text that fails."""
    under_way = deque[tuple[str, PreparedText | UnmaskError]]()
    interruptions: list[Exception] = []

    def jobs() -> Iterator[Job[Scores] | JobGroup[Scores] | UnmaskError]:
        for text in until_error(texts, interruptions):
            if isinstance(text, UnmaskError):
                under_way.append(("", text))
                yield text
                continue
            with session.generate_answer.reporting(None if told is None else told.token):
                prepared = session.try_prepare(text, config)
            under_way.append((_first_text(text), prepared))
            yield prepared if isinstance(prepared, UnmaskError) else session.job(as_request(text), prepared, config)

    with reporting(progress, total=len(texts) if isinstance(texts, Sized) else None) as report:
        told = None if report is None else GenerationReport(report)
        for index, outcome in enumerate(session.engine.run(jobs(), progress=told)):
            text, prepared = under_way.popleft()
            error = prepared if isinstance(prepared, UnmaskError) else outcome.error
            if error is not None:
                yield Failure(index, text, error)
            elif isinstance(prepared, PreparedText):
                yield to_explanation(prepared, config, outcome)
    if interruptions:
        raise interruptions[0]


def _first_text(text: TextLike) -> str:
    """Return the first text of a request to show with a failure, even if it is a chat that cannot be read."""
    if isinstance(text, Request):
        return text.text
    return text if isinstance(text, str) else repr(text)
