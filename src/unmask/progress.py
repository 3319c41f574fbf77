"""How far a run is, as a value, and as a bar in a terminal or a notebook."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, said after every batch."""

    texts: int  # finished
    rows: int  # through the model


Report: TypeAlias = Callable[[Progress], None]
Reporting: TypeAlias = Report | Literal["bar"] | None


def reporting(progress: Reporting, *, total: int | None) -> AbstractContextManager[Report | None]:
    """What the engine is to call while the context lasts."""
    return bar(total) if progress == "bar" else nullcontext(progress)


@contextmanager
def bar(total: int | None) -> Iterator[Report]:
    """A bar with the time left on standard error, in a notebook as a widget; without a total, the texts so far."""
    from tqdm.auto import tqdm

    with tqdm(total=total, unit=" texts", dynamic_ncols=True, smoothing=0.05) as drawn:

        def report(progress: Progress) -> None:
            drawn.update(progress.texts - drawn.n)

        yield report
