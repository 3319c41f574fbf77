"""Turns a text into a cooperative game for shapiq (Muschalik et al. 2024), with the units as players.

A coalition is a set of units that are kept while all others are masked; its value is the target on the chosen scale.
A game works with any index or approximator of shapiq that takes a callable. Creating a game does not need shapiq.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ..attribution.attribute import PreparedText
from ..attribution.keywords import known_keywords
from ..attribution.pairs import ValueSettings
from ..engine import Engine, Job
from ..errors import ArgumentError
from ..questions import Perturbation, Question, ask_outputs
from ..tasks.targets import Target, TargetName, resolve_target
from ..text.request import Request

if TYPE_CHECKING:
    from ..explainer import Explainer

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Coalitions:
    """The model's raw outputs for coalitions of a text's units; each coalition is run once."""

    text: PreparedText
    engine: Engine
    known: dict[bytes, Numbers] = field(default_factory=dict, repr=False)

    def outputs(self, coalitions: NDArray[np.bool_]) -> Numbers:
        """Return the outputs, [coalitions, outputs]; new coalitions are run in one call to the engine."""
        rows = {row.tobytes(): row for row in coalitions}
        new = {key: row for key, row in rows.items() if key not in self.known}
        if new:
            (outcome,) = self.engine.run([Job(self.text, self._ask(list(new.values())), len(new))])
            self.known.update(zip(new, outcome.unwrap(), strict=True))
        return np.stack([self.known[row.tobytes()] for row in coalitions])

    def _ask(self, coalitions: Sequence[NDArray[np.bool_]]) -> Generator[Question, Tensor, Numbers]:
        units = self.text.units
        moved = [sorted(token for unit in np.flatnonzero(~row) for token in units[unit]) for row in coalitions]
        outputs = yield from ask_outputs(Perturbation(tuple(tokens)) for tokens in moved)
        return np.asarray(outputs.numpy())


@dataclass(frozen=True, slots=True, eq=False)
class TextGame:
    """The value of coalitions of units, with the names of shapiq's `Game`.

    Call it with a boolean matrix, [coalitions, players], to get one value per coalition, minus the value of the empty
    coalition; `value_function` does not subtract that value. Each coalition is run only once, and the new coalitions of
    a call share batches.

    Examples:
        >>> from unmask import Explainer
        >>> from unmask.models.formula import FormulaModel
        >>> explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 2.0, "bad": -3.0}))
        >>> game(explainer, "good film").n_players
        2
        >>> game(explainer, "good film", target="positive")(np.array([[False, False], [True, False]]))
        array([0., 2.])
    """

    target: Target
    player_names: list[str]  # the units' texts; duplicates are numbered
    coalitions: Coalitions

    def __call__(self, coalitions: Any) -> Numbers:
        """Return the values of coalitions, minus the value of the empty coalition, [coalitions]."""
        return self.value_function(coalitions) - self.normalization_value

    def value_function(self, coalitions: Any) -> Numbers:
        """The target's value for each coalition, [coalitions]."""
        return np.asarray(self.target(self.outputs(coalitions)))

    def outputs(self, coalitions: Any) -> Numbers:
        """The model's raw outputs for each coalition, [coalitions, outputs]."""
        return self.coalitions.outputs(self._checked(coalitions))

    def toward(self, target: TargetName, scale: str | None = None) -> "TextGame":
        """Return the same game for another label, contrast or scale; known coalitions are not run again."""
        whole = self.outputs(self.grand_coalition)[0]
        goal = resolve_target(target, scale=scale or self.target.scale, head=self.target.head, whole=whole)
        return replace(self, target=goal)

    def to_shapiq(self) -> Any:
        """Convert to shapiq's `Game` class, for functions that require one. Needs shapiq."""
        try:
            from shapiq import Game
        except ImportError as error:
            raise ArgumentError("to_shapiq needs shapiq, which is not installed", hint="pip install shapiq") from error

        class UnmaskGame(Game):  # type: ignore[misc]  # untyped where shapiq is not installed
            """A text as a game."""

            # shapiq converts an array of one value to a float, which NumPy 2.4 and later reject.
            empty_coalition_value, grand_coalition_value = self.empty_coalition_value, self.grand_coalition_value

            def value_function(_, coalitions: Any) -> Numbers:  # noqa: N805  `self` is the game with the model
                return self.value_function(coalitions)

        return UnmaskGame(
            self.n_players, normalization_value=self.normalization_value, player_names=list(self.player_names)
        )

    @property
    def n_players(self) -> int:
        """The number of units."""
        return len(self.player_names)

    @property
    def empty_coalition(self) -> NDArray[np.bool_]:
        """The coalition of no units: all units are masked."""
        return np.zeros(self.n_players, dtype=bool)

    @property
    def grand_coalition(self) -> NDArray[np.bool_]:
        """The coalition of all units: the text as written."""
        return np.ones(self.n_players, dtype=bool)

    @property
    def normalization_value(self) -> float:
        """The target's value with all units masked."""
        return float(self.value_function(self.empty_coalition)[0])

    @property
    def empty_coalition_value(self) -> float:
        """The value of the empty coalition when the game is called: always 0."""
        return 0.0

    @property
    def grand_coalition_value(self) -> float:
        """The value of all units when the game is called: the same as `together` in an explanation."""
        return float(self(self.grand_coalition)[0])

    @property
    def evaluations(self) -> int:
        """The number of distinct coalitions run so far."""
        return len(self.coalitions.known)

    def _checked(self, coalitions: Any) -> NDArray[np.bool_]:
        """Convert coalitions to a boolean matrix, [coalitions, players]; a single coalition may be a vector."""
        given = np.asarray(coalitions)
        matrix = given[None] if given.ndim == 1 else given
        if matrix.ndim != 2 or matrix.shape[1] != self.n_players:
            raise ArgumentError(
                f"coalitions have shape {given.shape}; expected a boolean matrix [coalitions, {self.n_players}] "
                "with one column per unit"
            )
        if not len(matrix):
            raise ArgumentError("no coalitions: give a boolean matrix with at least one row")
        if not np.isin(matrix, (0, 1)).all():
            raise ArgumentError("coalitions must contain only True and False, or 1 and 0")
        return np.ascontiguousarray(matrix.astype(bool))


@known_keywords(ValueSettings)
def game(explainer: "Explainer", text: str | Request, **settings: Unpack[ValueSettings]) -> TextGame:
    """Turn a text into a cooperative game: how much any set of its units is worth.

    Args:
        text: A text or a request.
    """
    session = explainer._session
    config = session.resolve_config(**settings)
    prepared = session.prepare(text if isinstance(text, Request) else Request(text), config)
    coalitions = Coalitions(prepared, session.engine)
    whole, _ = coalitions.outputs(np.array([[True], [False]]).repeat(len(prepared.units), axis=1))
    target = resolve_target(prepared.target, scale=config.scale, head=prepared.head, whole=whole)
    return TextGame(target, _names(prepared), coalitions)


def _names(prepared: PreparedText) -> list[str]:
    """Return the text of each unit; the second unit with the same text is named `text (2)`."""
    segments, counts = prepared.encoded.segments, Counter[str]()
    names = []
    for group in prepared.groups:
        text = segments[group.segment].text[slice(*group.span)]
        counts[text] += 1
        names.append(text if counts[text] == 1 else f"{text} ({counts[text]})")
    return names
