"""Progress, as a value and as a bar in a terminal or notebook."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from .errors import ArgumentError

DELAY = 0.5  # seconds before the bar of one text appears


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress, reported after every batch."""

    texts: int  # finished
    rows: int  # through the model
    partial: float = 0.0  # the finished shares of unfinished texts, summed
    generated: int = 0  # tokens of the answer being generated; 0 if there is none

    def __add__(self, other: "Progress") -> "Progress":
        """The combined progress of two pieces of work."""
        return Progress(
            self.texts + other.texts,
            self.rows + other.rows,
            self.partial + other.partial,
            self.generated + other.generated,
        )


Report: TypeAlias = Callable[[Progress], None]
Reporting: TypeAlias = Report | Literal["bar"] | None


class GenerationReport:
    """Passes progress on, and between two reports how far the answer is that is being generated."""

    def __init__(self, report: Report) -> None:
        self._report, self._last = report, Progress(0, 0)

    def __call__(self, progress: Progress) -> None:
        """Report progress."""
        self._last = progress
        self._report(progress)

    def token(self, count: int) -> None:
        """Report the number of tokens of an answer."""
        self._report(replace(self._last, generated=count))


def reporting(progress: Reporting, *, total: int | None) -> AbstractContextManager[Report | None]:
    """A context manager that yields the engine's callback."""
    return bar(total) if isinstance(progress, str) else nullcontext(progress)


def check_progress(progress: Reporting) -> None:
    """Reject a value that is neither a function nor 'bar'."""
    if progress is not None and progress != "bar" and not callable(progress):
        raise ArgumentError(f"progress must be 'bar' or a function that takes a Progress, not {progress!r}")


@contextmanager
def bar(total: int | None) -> Iterator[Report]:
    """A progress bar on standard error, or a widget in a notebook; for one text, it appears late and vanishes."""
    from tqdm.auto import tqdm

    shape = "{desc} [{elapsed}]" if total is None else "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"
    options: dict[str, Any] = {"bar_format": shape, "dynamic_ncols": True, "smoothing": 0.05, "miniters": 0}
    options |= {"leave": False, "delay": DELAY} if total == 1 else {}
    with tqdm(total=total, desc=_counts(Progress(0, 0), total), **options) as drawn:

        def report(progress: Progress) -> None:
            if progress.texts and not progress.rows:  # finished in an earlier run, so not part of the speed
                drawn.initial = drawn.n = progress.texts
            drawn.set_description_str(_counts(progress, total), refresh=False)
            drawn.update(max(0.0, progress.texts + progress.partial - drawn.n))

        yield report


def _counts(progress: Progress, total: int | None) -> str:
    """Describe the texts and rows done; only the rows for one text."""
    rows = f"{progress.rows:,} rows"
    if progress.generated:
        answer = f"answer: {progress.generated:,} tokens"
        rows = answer if total == 1 else f"{rows}, {answer}"
    of_all = "" if total is None else f"/{total:,}"
    return rows if total == 1 else f"{progress.texts:,}{of_all} texts, {rows}"
