"""How far a run is, as a value, and as a bar in a terminal or a notebook."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, said after every batch."""

    texts: int  # finished
    rows: int  # through the model


Report: TypeAlias = Callable[[Progress], None]
Reporting: TypeAlias = Report | Literal["bar"] | None


def reporting(progress: Reporting, *, total: int | None) -> AbstractContextManager[Report | None]:
    """What the engine is to call while the context lasts."""
    return bar(total) if isinstance(progress, str) else nullcontext(progress)


def check_progress(progress: Reporting) -> None:
    """Refuse what cannot be told how far a run is."""
    if progress is not None and progress != "bar" and not callable(progress):
        raise ArgumentError(f"progress must be a function that takes a Progress, or 'bar', not {progress!r}")


@contextmanager
def bar(total: int | None) -> Iterator[Report]:
    """A bar with the time left on standard error, in a notebook as a widget; without a total, the texts so far."""
    from tqdm.auto import tqdm

    with tqdm(total=total, unit=" texts", dynamic_ncols=True, smoothing=0.05) as drawn:

        def report(progress: Progress) -> None:
            drawn.update(progress.texts - drawn.n)

        yield report
