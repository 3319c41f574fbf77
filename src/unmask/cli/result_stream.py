"""From texts to their results; failures and warnings are reported on standard error on the way."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import InputError, UnmaskError
from ..results.explanation import Explanation
from ..text.request import Failure, Request
from .exit_codes import Exit, say, say_error

Asked: TypeAlias = Request | InputError  # an error stands for a text that could not be read
# A text from a file or from the command line, its result, and the other columns of its row where they are kept.
Result: TypeAlias = tuple[Asked, Explanation | Failure, Mapping[str, Any] | None]


class Results:
    """The results of a command, as they come; afterwards it knows how the command ended.

    Args:
        keep: Whether results carry the other columns of their row.
        common: Warnings that hold for all texts, and are reported once.
    """

    def __init__(self, *, keep: bool = False, quiet: bool = False, common: Sequence[str] = ()) -> None:
        self._keep, self._quiet, self._common = keep, quiet, common
        self._under_way = deque[Asked]()
        self._reported: set[str] = set()
        self._done = self._failed = 0

    def texts(self, texts: Iterable[Asked]) -> Iterator[Asked]:
        """The texts to explain; they are remembered until their results come back."""
        for text in texts:
            self._under_way.append(text)
            yield text

    def of(self, attempts: Iterator[Explanation | Failure]) -> Iterator[Result]:
        """The attempts with their texts."""
        try:
            for attempt in attempts:
                text = self._under_way.popleft()
                self._report(attempt, "" if text.line is None else f"line {text.line}: ")
                columns = text.columns if isinstance(text, Request) else {}
                yield text, attempt, columns if self._keep else None
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

    def _report(self, attempt: Explanation | Failure, where: str) -> None:
        """A failure, or the warnings about one text, with its line; a warning that holds for all texts, once."""
        if isinstance(attempt, Failure):
            self._failed += 1
            say_error(attempt.error, where=where)
            return
        self._done += 1
        for warning in attempt.warnings:
            if not self._quiet and warning not in self._reported:
                say(f"note: {'' if warning in self._common else where}{warning}")
        self._reported.update(self._common)


def record(result: Result) -> dict[str, Any]:
    """The result as JSON values, its line first and the kept columns last."""
    text, outcome, columns = result
    line = {} if text.line is None else {"line": text.line}
    values = outcome.to_dict() if isinstance(outcome, Explanation) else _failure(text, outcome.error)
    return line | values | ({} if columns is None else {"kept": dict(columns)})


def written(text: Asked) -> str:
    """The text, or both texts of a pair; nothing where none could be read."""
    return " / ".join(filter(None, text.texts)) if isinstance(text, Request) else ""


def _failure(text: Asked, error: UnmaskError) -> dict[str, Any]:
    """What stands in JSON in the result's place; the text is null where none could be read."""
    texts: dict[str, Any] = {"text": text.text if isinstance(text, Request) else None}
    if isinstance(text, Request) and text.text_pair is not None:
        texts["text_pair"] = text.text_pair
    kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == UnmaskError.__module__)
    return {**texts, "error": {"kind": kind, "message": str(error)}}
