"""The base class of methods: a frozen dataclass whose fields are the settings; class attributes describe the method."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, get_args

from ..errors import ArgumentError, MemoryLimitError, brief, check_known
from ..questions import Asking, Instance

MOST = 10_000  # the most steps, samples or orders allowed: far more than any score needs
MOST_VALUES = 2**29  # how many double-precision numbers a method may hold at once for one text: 4 GB


@dataclass(frozen=True, slots=True)
class Cost:
    """Number of model inputs evaluated per text, not counting the text itself and the fully masked text."""

    forward: float = 0
    backward: float = 0  # inputs that also need a backward pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(ABC):
    """Scores units. Derive a frozen dataclass with a `name` and an `ask` method; everything else has a default."""

    name: ClassVar[str]
    # What a score means, in one sentence; {quantity}, {unit}, {baseline} and {text} are filled in.
    summary: ClassVar[str] = ""
    passes: ClassVar[str] = "not stated"  # number of passes for a text of N units, for display
    needs: ClassVar[str] = "outputs"
    source: ClassVar[str] = ""  # the paper
    rank: ClassVar[int] = 1  # methods with a lower rank run first; 0 is for the cheapest
    exact: ClassVar[bool] = False
    is_signed: ClassVar[bool] = True
    adds_up: ClassVar[bool] = False  # whether the scores sum to `together`
    uses_baseline: ClassVar[bool] = True
    operator: ClassVar[str | None] = None  # how the method deletes units if it uses no baseline

    @abstractmethod
    def ask(self, instance: Instance) -> Asking:
        """Request the model outputs that are needed for one text, and return its scores.

        Raises:
            UnmaskError: If the method cannot score the text; only that text fails. Any other exception ends the run.
        """

    def cost(self, units: int, tokens: int) -> Cost:
        """Number of model inputs for one text of this size; a lower bound if the method refines."""
        return Cost(backward=1)

    def removes_by(self, baseline: str) -> str | None:
        """What replaces a unit: the baseline or an operator; None if the method uses neither."""
        return baseline if self.uses_baseline else self.operator

    @property
    def refines(self) -> bool:
        """Whether the method adds nodes until the tolerance is met, so that its cost is not known in advance."""
        return False

    @property
    def removes(self) -> bool:
        """Whether the method deletes units from the text instead of replacing them."""
        return not self.uses_baseline and self.operator is not None

    @property
    def steps_label(self) -> str | None:
        """The number of steps or samples, as text for tables; None if the method has neither."""
        values = settings(self)
        if (per_token := values.get("steps_per_token")) is not None:
            return f"{per_token} per token"
        if (samples := values.get("samples")) is not None:
            return f"{samples} samples"
        return None if values.get("steps") is None else str(values["steps"])


@cache
def derive(cls: Any) -> type[Method]:
    """Turn a class with a name and `ask` into a subclass of `Method`, which has defaults for the rest."""
    if issubclass(cls, Method):
        return cls  # type: ignore[no-any-return]  # it is one
    namespace = {"__doc__": cls.__doc__, "__reduce__": lambda self: (as_method, (cls(**_values(self)),))}
    return type(cls.__name__, (cls, Method), namespace)


def as_method(method: Any) -> Method:
    """Return a method unchanged; turn any other dataclass object into an instance of its derived class."""
    kind: Any = type(method)
    return method if isinstance(method, Method) else derive(kind)(**_values(method))


def _values(method: Any) -> dict[str, Any]:
    return {field.name: getattr(method, field.name) for field in fields(method)}


def settings(method: Method) -> dict[str, Any]:
    """A method's settings by name; functions and other objects are represented by their qualified name."""
    return {
        name: value
        if value is None or isinstance(value, bool | int | float | str)
        else getattr(value, "__qualname__", type(value).__qualname__)
        for name, value in _values(method).items()
    }


def check_positive(name: str, value: object) -> None:
    """Reject anything but a number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ArgumentError(f"{name}={brief(value)}: expected a number above 0")


def check_count(name: str, value: object, *, least: int = 1, most: int | None = None) -> None:
    """Reject anything but an integer from `least` to `most`."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= least
    if not is_count or (most is not None and isinstance(value, int) and value > most):
        expected = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        raise ArgumentError(f"{name}={brief(value)}: expected a whole number {expected}")


def check_size(what: str, values: int) -> None:
    """Reject a text that would require holding more than `MOST_VALUES` numbers at once."""
    if values > MOST_VALUES:
        raise MemoryLimitError(
            f"{what} would need {8 * values / 1e9:,.0f} GB for this text; the limit is {8 * MOST_VALUES / 1e9:,.0f} GB",
            hint="use fewer steps or a shorter text",
        )


def check_choice(name: str, value: str, choices: Any) -> None:
    """Reject a value that the `Literal` type does not list."""
    check_known(name, [value], get_args(choices))
