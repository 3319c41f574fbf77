"""The protocol `paper`: evaluation as in the paper's code, bugs included."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ArgumentError, check_known
from ...metrics.perturbations import OWN
from ...metrics.protocols import Protocol
from .published import PAPER_METHODS


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
    """

    def adapt_session(self, session: Any, settings: Mapping[str, Any]) -> Any:
        """Return the model with its embedding applied twice."""
        from ...attribution.session import Options
        from ...models.huggingface.adapter import HuggingFaceAdapter
        from .double_embedding import DoubleEmbedding, EveryTokenSession

        if not isinstance(session.adapter, HuggingFaceAdapter):
            raise ArgumentError("the protocol 'paper' supports only Hugging Face's BERT, DistilBERT and RoBERTa")
        times = settings.get("distilbert", "once")
        check_known("distilbert", [times], self.choices["distilbert"])
        adapter = DoubleEmbedding(*session.adapter.parts, distilbert=times)
        options = Options(batch_tokens=session.batch_tokens, max_length=session.max_length, labels=session.head.labels)
        return EveryTokenSession(adapter, **options)

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


PAPER = PaperProtocol(
    "paper",
    round_down,
    methods=tuple(PAPER_METHODS.values()),
    settings=("distilbert",),
    choices={"distilbert": ("once", "twice")},
    operators=(OWN, "remove", "remove"),
    caption=(
        "For log-odds, units are replaced by the attribution's baseline; for the other metrics, they are removed",
        "Where a share is less than one token, nothing is deleted or kept and the text counts as 0.",
    ),
    fixed={"unit": "token", "target": "max", "scale": "logit"},
    revision=2,  # 1: the log-odds left special tokens in place
)
