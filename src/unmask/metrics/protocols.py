"""Evaluation protocols: which units are perturbed, how many, and how. A study adds its own (see `unmask.studies`)."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from ..errors import ArgumentError, check_known
from ..studies import registered
from .registry import Measure, metrics_of


@dataclass(frozen=True, slots=True)
class Protocol:
    """How explanations are evaluated. A subclass may also change the function that is explained.

    Args:
        count: A function from (number of units, share) to the number of units in that share.
        methods: The methods evaluated by default.
        settings: The optional evaluation settings that this protocol accepts.
        operators: The operators of the three metrics, if the protocol fixes them; its results then carry the protocol's
            name instead of an operator's. None for the operators chosen for the evaluation.
        caption: For fixed operators: how units are deleted, and how shares of less than one unit are handled.
        fixed: Settings that the protocol fixes, such as unit and target.
        choices: Those of `settings` that this protocol itself defines, with the allowed values of each.
        revision: A number to increase when the protocol's results change, so that stored ones are recomputed.
    """

    name: str
    count: Callable[[int, float], int]
    methods: tuple[str, ...]
    settings: tuple[str, ...] = ()
    operators: tuple[str, str, str] | None = None
    caption: tuple[str, str] = ("", "")
    fixed: Mapping[str, str] | None = None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    revision: int = 1

    def adapt_session(self, session: Any, settings: Mapping[str, Any]) -> Any:
        """The model session to evaluate; a study may substitute one that explains a different output of the model."""
        return session

    def note(self, functions: Sequence[str]) -> str:
        """A note on results for these explained functions of the model; empty by default."""
        return ""

    def adapt_text(self, text: Any) -> Any:
        """The text that the metrics perturb; a study may allow metrics to perturb tokens that methods leave alone."""
        return text

    @property
    def revised(self) -> dict[str, int]:
        """The revision, for digests and records; empty for the first revision, whose stored results stay valid."""
        return {} if self.revision == 1 else {"revision": self.revision}

    def check_settings(self, names: Iterable[str]) -> None:
        """Reject settings that only other protocols accept."""
        particular = setting_protocols()
        for name in names:
            if name in particular and name not in self.settings:
                raise ArgumentError(f"the protocol {self.name!r} does not take {name}; remove it")


def round_half_up(units: int, share: float) -> int:
    """The number of units in that share, at least one.

    >>> [round_half_up(units, 0.2) for units in (1, 7, 8, 12, 13)]
    [1, 1, 2, 2, 3]
    """
    return min(units, max(1, math.floor(round(share * units, 9) + 0.5)))


CORRECTED = Protocol(
    "corrected",
    round_half_up,
    methods=("sig", "ig", "grad_x_input", "leave_one_in", "shapley"),
    settings=("operators", "unit", "target", "scale"),
)


def known_protocols() -> dict[str, str]:
    """Where each protocol is defined, by name; the module is imported when the protocol is first used."""
    return {CORRECTED.name: f"{__name__}:CORRECTED", **registered("protocols")}


def resolve_protocol(name: str | Protocol) -> Protocol:
    """The protocol of that name; a protocol is returned unchanged."""
    if isinstance(name, Protocol):
        return name
    known = known_protocols()
    check_known("protocol", [name], known)
    protocol: Protocol = resolve_name(known[name])
    return protocol


def fixing_protocol(operator: str | None) -> Protocol | None:
    """The protocol of this name, if there is one and it fixes the operators of the metrics."""
    protocol = resolve_protocol(operator) if operator in known_protocols() else None
    return None if protocol is None or protocol.operators is None else protocol


def operator_of(measure: Measure) -> str | None:
    """The operator with which a metric deletes units."""
    protocol, metric = fixing_protocol(measure.operator), measure.metric.removeprefix("aopc_")
    if protocol is None or protocol.operators is None or metric not in metrics_of("faithfulness"):
        return measure.operator
    return protocol.operators[metrics_of("faithfulness").index(metric)]


def setting_protocols() -> dict[str, list[str]]:
    """The settings that protocols accept, each with the names of the protocols that accept it."""
    takers: dict[str, list[str]] = {}
    for protocol in map(resolve_protocol, known_protocols()):
        for setting in protocol.settings:
            takers.setdefault(setting, []).append(protocol.name)
    return takers


def protocol_choices() -> dict[str, tuple[str, ...]]:
    """The settings that protocols define themselves, each with its allowed values."""
    protocols = map(resolve_protocol, known_protocols())
    return {name: values for protocol in protocols for name, values in protocol.choices.items()}
