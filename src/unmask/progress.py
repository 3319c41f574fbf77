"""Progress as a value, and as a bar in a terminal or a notebook."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress, reported after every batch."""

    texts: int  # finished
    rows: int  # through the model


Report: TypeAlias = Callable[[Progress], None]
Reporting: TypeAlias = Report | Literal["bar"] | None


def reporting(progress: Reporting, *, total: int | None) -> AbstractContextManager[Report | None]:
    """A context with the callback for the engine."""
    return bar(total) if isinstance(progress, str) else nullcontext(progress)


def check_progress(progress: Reporting) -> None:
    """Refuse a value that is neither a function nor 'bar'."""
    if progress is not None and progress != "bar" and not callable(progress):
        raise ArgumentError(f"progress must be a function of a Progress, or 'bar', not {progress!r}")


@contextmanager
def bar(total: int | None) -> Iterator[Report]:
    """A progress bar on standard error, or a widget in a notebook."""
    from tqdm.auto import tqdm

    with tqdm(total=total, unit=" texts", dynamic_ncols=True, smoothing=0.05) as drawn:

        def report(progress: Progress) -> None:
            drawn.update(progress.texts - drawn.n)

        yield report
