"""Progress, as a value and as a bar in a terminal or notebook."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from .errors import ArgumentError

DELAY = 0.5  # seconds until the bar for a single text appears


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress, reported after every batch."""

    texts: int  # finished
    rows: int  # perturbed texts that the model has read
    partial: float = 0.0  # the finished fraction of each unfinished text, summed
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
    """Forwards progress reports. Between them, it reports how many tokens of the answer were generated so far."""

    def __init__(self, report: Report) -> None:
        self._report, self._last = report, Progress(0, 0)

    def __call__(self, progress: Progress) -> None:
        """Report progress."""
        self._last = progress
        self._report(progress)

    def token(self, count: int) -> None:
        """Report the number of tokens generated so far."""
        self._report(replace(self._last, generated=count))


def reporting(progress: Reporting, *, total: int | None) -> AbstractContextManager[Report | None]:
    """Return a context manager that yields the progress callback for the engine."""
    return bar(total) if isinstance(progress, str) else nullcontext(progress)


def check_progress(progress: Reporting) -> None:
    """Reject a value that is neither a function nor 'bar'."""
    if progress is not None and progress != "bar" and not callable(progress):
        raise ArgumentError(f"progress must be 'bar' or a function that takes a Progress, not {progress!r}")


@contextmanager
def bar(total: int | None) -> Iterator[Report]:
    """Show a progress bar on stderr or in a notebook. For a single text, it appears after a delay and disappears."""
    from tqdm.auto import tqdm

    shape = "{desc} [{elapsed}]" if total is None else "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"
    options: dict[str, Any] = {"bar_format": shape, "dynamic_ncols": True, "smoothing": 0.05, "miniters": 0}
    options |= {"leave": False, "delay": DELAY} if total == 1 else {}
    with tqdm(total=total, desc=_counts(Progress(0, 0), total), **options) as drawn:

        def report(progress: Progress) -> None:
            if progress.texts and not progress.rows:  # finished in an earlier run: must not count toward the speed
                drawn.initial = drawn.n = progress.texts
            drawn.set_description_str(_counts(progress, total), refresh=False)
            drawn.update(max(0.0, progress.texts + progress.partial - drawn.n))

        yield report


def _counts(progress: Progress, total: int | None) -> str:
    """Describe how many texts and passes are done; for a single text, only the passes."""
    rows = f"{progress.rows:,} passes"
    if progress.generated:
        answer = f"answer: {progress.generated:,} tokens"
        rows = answer if total == 1 else f"{rows}, {answer}"
    of_all = "" if total is None else f"/{total:,}"
    return rows if total == 1 else f"{progress.texts:,}{of_all} texts, {rows}"
