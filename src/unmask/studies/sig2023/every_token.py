"""The units of the protocol `paper`: every token, those that the tokenizer adds included."""

from ...attribution.session import ModelSession
from ...errors import ArgumentError
from ...models.adapter import Encoded
from ...text.request import Request
from ...text.units import AlignedUnit, UnitSelection


class EveryTokenSession(ModelSession):
    """A session in which each token is a unit; special tokens are their own baseline."""

    def units(
        self, request: Request, selection: UnitSelection, encoded: Encoded
    ) -> tuple[tuple[AlignedUnit, ...], frozenset[int]]:
        """All tokens; spans, fixed text and targets of a request do not apply."""
        if selection.given is not None or selection.fixed or request.target is not None:
            raise ArgumentError("--protocol paper fixes units and target; remove spans and target from the requests")
        tokens = list(enumerate(encoded.tokens))
        groups = tuple(AlignedUnit(token.span, (at,), token.segment) for at, token in tokens)
        return groups, frozenset(at for at, token in tokens if token.special)

    def unit_name(self, unit: str) -> str:
        """Part of the identity of stored results."""
        return "token, special ones too"
