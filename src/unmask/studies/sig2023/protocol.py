"""The protocol `paper`: evaluation as in the paper's code, bugs included, and protocols with only some of its parts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ArgumentError, check_known
from ...metrics.perturbations import OWN
from ...metrics.protocols import Protocol, round_half_up
from .published import PAPER_METHODS

PARTS = {  # what `paper` does differently from `corrected` with words removed
    "double_embedding": "the model is embedded twice (BERT and RoBERTa)",
    "target": "the target is the largest logit at every point, not the log-odds of the predicted class",
    "special_tokens": "special tokens are units, which rank and are removed like all others",
    "tokens": "units are tokens, not words",
    "own_baseline": "log-odds replace units by the attribution's baseline instead of removing them",
    "rounding": "the number of top units is rounded down, to 0 in short texts",
}


def round_down(units: int, share: float) -> int:
    """Return this share of the units, rounded down; zero for a short text.

    >>> [round_down(units, 0.2) for units in (4, 5, 9, 10)]
    [0, 1, 1, 2]
    """
    return int(share * units)


@dataclass(frozen=True, slots=True)
class PaperProtocol(Protocol):
    """Explains the model with its embedding applied twice.

    Every token is a unit, including those that the tokenizer adds.

    Args:
        parts: The differences from `corrected` that apply, from `PARTS`.
    """

    parts: frozenset[str] = frozenset(PARTS)

    def adapt_session(self, session: Any, settings: Mapping[str, Any]) -> Any:
        """Return the model with its embedding applied twice."""
        from ...attribution.session import ModelSession, Options
        from ...models.huggingface.adapter import HuggingFaceAdapter
        from .double_embedding import DoubleEmbedding, SpecialUnitsSession

        if not isinstance(session.adapter, HuggingFaceAdapter):
            raise ArgumentError("the protocol 'paper' supports only Hugging Face's BERT, DistilBERT and RoBERTa")
        times = settings.get("distilbert", "once")
        check_known("distilbert", [times], self.choices["distilbert"])
        adapter = session.adapter
        if "double_embedding" in self.parts:
            adapter = DoubleEmbedding(*session.adapter.parts, distilbert=times)
        options = Options(batch_tokens=session.batch_tokens, max_length=session.max_length, labels=session.head.labels)
        return (SpecialUnitsSession if "special_tokens" in self.parts else ModelSession)(adapter, **options)

    def note(self, functions: Sequence[str]) -> str:
        """Say what the protocol reproduces."""
        return (
            "The protocol 'paper' reproduces the published code, bugs included. It explains "
            f"{' or '.join(functions) or 'the model embedded twice'}. The published figures can be checked only with "
            "the published models."
        )

    def adapt_text(self, text: Any) -> Any:
        """Let the log-odds also replace special tokens among the top k. Methods leave special tokens in place."""
        return replace(text, own_baseline=frozenset())


def paper_with(parts: Collection[str]) -> PaperProtocol:
    """The protocol with only some of `PARTS`: `paper` if all are given; if none, `corrected` with words removed.

    >>> paper_with(["tokens", "rounding"]).name, paper_with([]).name, paper_with(PARTS).name
    ('paper:tokens+rounding', 'paper:none', 'paper')
    """
    check_known("part", parts, PARTS)
    chosen = [part for part in PARTS if part in parts]
    fixed = {"unit": "token" if "tokens" in parts else "word"}
    fixed |= {"target": "max", "scale": "logit"} if "target" in parts else {}
    is_whole = len(chosen) == len(PARTS)
    return PaperProtocol(
        "paper" if is_whole else f"paper:{'+'.join(chosen) or 'none'}",
        round_down if "rounding" in parts else round_half_up,
        methods=tuple(PAPER_METHODS.values()),
        settings=("distilbert",),
        choices={"distilbert": ("once", "twice")},
        operators=(OWN if "own_baseline" in parts else "remove", "remove", "remove"),
        caption=(
            "For log-odds, units are replaced by the attribution's baseline; for the other metrics, they are removed",
            "Where a share is less than one token, nothing is deleted or kept and the text counts as 0.",
        ),
        fixed=fixed,
        revision=2,  # 1: the log-odds left special tokens in place
        parts=frozenset(chosen),
    )


PAPER = paper_with(PARTS)
