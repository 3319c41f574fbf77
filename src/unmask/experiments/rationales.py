"""What people marked in the texts of a run, and how far scores that are kept agree with it: no model is asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..metrics.plausibility import mean_length, plausibility_figures
from ..metrics.registry import Figures, average


@dataclass(frozen=True, slots=True, eq=False)
class Rationales:
    """Of each text what is kept of its marks: in units, whether the model is right about it, and scores by chance."""

    kept: tuple[Mapping[str, Any] | None, ...] = ()
    length: int | None = None  # units that a method may choose

    @classmethod
    def of(cls, bodies: Sequence[Mapping[str, Any] | None], *, length: int | None) -> Self:
        """From what a run kept; without a length, as many as people mark on average."""
        kept = tuple(None if body is None or "error" in body else body for body in bodies)
        marks = [sum(body["marked"]) for body in kept if body and body["marked"] is not None]
        return cls(kept, length or mean_length(marks))

    def agreement(self, at: int, scores: Sequence[float]) -> Figures:
        """Of one text's scores with people; nothing where no word is marked, or the model is not right."""
        body = self.kept[at] if self.kept else None
        if body is None or self.length is None or not body["is_gold"] or not any(body["marked"] or ()):
            return {}
        return plausibility_figures(scores, list(map(bool, body["marked"])), length=self.length)

    def chance(self, at: int) -> Figures:
        """The same of scores by chance, on average."""
        body = self.kept[at] if self.kept else None
        return average([found for one in (body["drawn"] if body else ()) if (found := self.agreement(at, one))])

    def notes(self) -> Iterator[str]:
        """Texts whose marks cannot count, and why."""
        for label, why in (("unknown", "a gold label that this model does not know"), ("none", "no gold label")):
            count = sum(body is not None and body["label"] == label for body in self.kept)
            if count:
                said = "1 text that people marked has" if count == 1 else f"{count:,} texts that people marked have"
                yield f"{said} {why}: agreement with people is not counted there"
