"""The windows of a long text, which the model reads one by one, as stored in an explanation. Needs no torch."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from .answers import is_same
from .metadata import Prediction

if TYPE_CHECKING:
    from .explanation import Explanation


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the text that the model reads at once, `text[start:end]`, and the model's raw outputs for it."""

    start: int
    end: int
    tokens: int  # number of tokens, including those that the tokenizer adds
    outputs: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The windows of a text that exceeds the model's limit.

    The model is applied to every window. Its log-probabilities are averaged over the windows and renormalized; the
    values of a regression are averaged. `central` has, for each unit, the window in which it is most central. `without`
    has the raw outputs of that window without the unit, or is None if the method does not need them.
    """

    windows: tuple[Window, ...]
    central: tuple[int, ...]
    without: tuple[tuple[float, ...], ...] | None = None

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal; NaN equals NaN."""
        return isinstance(other, Windows) and all(
            is_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # as for the explanation

    def __len__(self) -> int:
        """The number of windows."""
        return len(self.windows)

    def check(self, units: int, outputs: int) -> None:
        """Reject windows that do not match the explanation's units and outputs."""
        if any(len(one.outputs) != outputs for one in self.windows):
            raise ArgumentError(f"expected {outputs} outputs for every window; one has a different number")
        if len(self.central) != units or (self.without is not None and len(self.without) != units):
            raise ArgumentError(f"{units} units but {len(self.central)} central windows: there must be one each")
        if not all(0 <= at < len(self.windows) for at in self.central):
            raise ArgumentError(f"the central window of a unit is not one of the {len(self.windows)} windows")

    def scores(self, read: Callable[[Any], NDArray[np.float64]]) -> tuple[float, ...] | None:
        """How much each unit's central window drops without the unit, as measured by `read`; NaN if not computed."""
        if self.without is None:
            return None
        whole = np.array([self.windows[at].outputs for at in self.central])
        return tuple((read(whole) - read(np.array(self.without))).tolist())


def window_predictions(explanation: "Explanation") -> tuple[Prediction, ...]:
    """The model's prediction for each window by itself; empty for a text that needs no windows."""
    if explanation.windows is None:
        return ()
    return tuple(replace(explanation, whole=one.outputs).prediction for one in explanation.windows.windows)


def record_windows(explanation: "Explanation") -> dict[str, Any]:
    """Convert the windows to JSON values; empty for a text that needs no windows."""
    if explanation.windows is None:
        return {}
    predictions = window_predictions(explanation)
    rows = zip(explanation.windows.windows, predictions, strict=True)
    shown = [{**asdict(one), "label": made.label, "probabilities": dict(made.probabilities)} for one, made in rows]
    return {"windows": shown}


def record_unit(explanation: "Explanation", unit: int) -> dict[str, Any]:
    """The additional JSON fields of a unit in a long text."""
    if (windows := explanation.windows) is None:
        return {}
    scores, without = explanation.window_scores, windows.without
    return {
        "window": windows.central[unit],
        "window_score": None if scores is None else _known(scores[unit]),
        "window_without": None if without is None else [_known(value) for value in without[unit]],
    }


def read_windows(record: Mapping[str, Any]) -> Windows | None:
    """Restore the windows from a record."""
    if record.get("windows") is None:
        return None
    kept = [(one["start"], one["end"], one["tokens"], tuple(map(float, one["outputs"]))) for one in record["windows"]]
    units = record["units"]
    rows = [unit["window_without"] for unit in units if unit["window_without"] is not None]
    without = tuple(tuple(nan if value is None else float(value) for value in row) for row in rows)
    return Windows(tuple(Window(*one) for one in kept), tuple(unit["window"] for unit in units), without or None)


def _known(value: float) -> float | None:
    return None if isnan(value) else value
