"""The seam between questions and the model: all that a method knows.

A method is a generator. It yields a question about altered versions of one text, receives the answer, and may ask
again. It never sees a model, a device or a batch.
"""

from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from .errors import ArgumentError
from .targets import Target

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Probe:
    """One altered version of a text: the moved tokens stand at baseline + alpha * (written - baseline)."""

    moved: tuple[int, ...] = ()
    alpha: float = 0.0


@dataclass(frozen=True, slots=True)
class Outputs:
    """The question for the raw outputs of altered texts; its answer is [probes, outputs]."""

    probes: tuple[Probe, ...]

    def __post_init__(self) -> None:
        if not self.probes:
            raise ArgumentError("a question needs at least one probe")


@dataclass(frozen=True, slots=True)
class Case:
    """One text as a method sees it."""

    units: tuple[tuple[int, ...], ...]  # each unit's token positions
    whole: "Tensor"  # [outputs], of the untouched text
    target: Target


@dataclass(frozen=True, slots=True)
class Scores:
    """A method's result: one value per unit and, where it asked for them, the raw outputs without each unit."""

    values: "Tensor"  # [units]
    without: "Tensor | None" = None  # [units, outputs]


Asking: TypeAlias = "Generator[Outputs, Tensor, Scores]"


class Method(Protocol):
    """What scores units: a frozen dataclass whose fields are its settings."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]

    def ask(self, case: Case) -> Asking:
        """Ask about one text, and return its scores.

        Raises:
            UnmaskError: For a text that it cannot score; that text fails alone. Anything else ends the run, as a bug.
        """
        ...


def outputs(probes: Iterable[Probe]) -> "Generator[Outputs, Tensor, Tensor]":
    """Ask for the raw outputs of altered texts; use with `yield from`."""
    return (yield Outputs(tuple(probes)))


def settings(method: Method) -> dict[str, Any]:
    """A method's settings by name."""
    return asdict(method)
