"""From records to numbered results: what failed and what must be noted is said on standard error on the way."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import UnmaskError
from ..inputs import BadRecord, Record
from ..results.explanation import Explanation
from .destinations import Failed, Numbered
from .exit_codes import Exit, say, say_error

if TYPE_CHECKING:
    from ..text.request import Failure, TextLike


class Results:
    """The results of a command, as they come; afterwards it knows how the command ended.

    Args:
        numbered: Whether results carry their line; a text from the command line has one only among lines.
        keep: Whether they carry the other columns of their record.
        common: Warnings that hold for all texts, and are said once.
    """

    def __init__(self, *, numbered: bool, keep: bool = False, quiet: bool = False, common: Sequence[str] = ()) -> None:
        self._numbered, self._keep, self._quiet, self._common = numbered, keep, quiet, common
        self._under_way = deque[Record | BadRecord]()
        self._said: set[str] = set()
        self._done = self._failed = 0

    def texts(self, records: Iterable[Record | BadRecord]) -> "Iterator[TextLike]":
        """The texts to explain; their records are remembered until the results come back."""
        for record in records:
            self._under_way.append(record)
            yield text_of(record)

    def of(self, attempts: "Iterator[Explanation | Failure]") -> Iterator[Numbered]:
        """The attempts with their lines."""
        try:
            for attempt in attempts:
                yield self._numbered_result(attempt)
        except UnmaskError as error:  # the input itself: what came before it is done
            if not self._done:
                raise
            self._failed += 1
            say_error(error)

    @property
    def exit(self) -> Exit:
        """How the command ended."""
        if not self._failed:
            return Exit.DONE
        return Exit.SOME_FAILED if self._done else Exit.NOTHING_DONE

    def _numbered_result(self, attempt: "Explanation | Failure") -> Numbered:
        record = self._under_way.popleft()
        where = f"line {record.number}: " if self._numbered else ""
        number = record.number if self._numbered else None
        kept = None if not self._keep else {} if isinstance(record, BadRecord) else record.kept
        if isinstance(attempt, Explanation):
            self._done += 1
            self._note(attempt, where)
            return Numbered(number, attempt, kept)
        self._failed += 1
        say_error(attempt.error, where=where)
        return Numbered(number, Failed(record, attempt.error), kept)

    def _note(self, explanation: Explanation, where: str) -> None:
        """A warning about one text with its line; one that holds for all texts, once."""
        for warning in explanation.warnings:
            if not self._quiet and warning not in self._said:
                say(f"note: {'' if warning in self._common else where}{warning}")
        self._said.update(self._common)


def text_of(record: Record | BadRecord) -> "TextLike":
    """What the explainer is asked about."""
    from ..text.request import Request

    return record.error if isinstance(record, BadRecord) else Request(record.text, text_pair=record.text_pair)
