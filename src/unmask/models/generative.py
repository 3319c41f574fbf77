"""The extra methods that a language model's adapter needs to read prompts and generate answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..text.spans import Span
from .adapter import Adapter


@dataclass(frozen=True, slots=True)
class PromptToken:
    """A token of a prompt; `is_added` is True if the tokenizer added it to the text."""

    id: int
    span: Span
    is_added: bool = False
    is_unknown: bool = False


class GenerativeAdapter(Adapter, Protocol):
    """A model that continues texts."""

    @property
    def vocabulary_size(self) -> int:
        """The number of logits at each token."""

    @property
    def keeps_positions(self) -> bool:
        """Whether the model can compute logits for only some of the tokens."""

    @property
    def stops(self) -> frozenset[int]:
        """The tokens that end an answer."""

    @property
    def first(self) -> int | None:
        """The token that may begin every text: the tokenizer's BOS token, or else its EOS token."""

    @property
    def has_template(self) -> bool:
        """Whether the model has a chat template."""

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Render a chat with the model's own template, up to where the answer begins."""

    def tokenize(self, text: str, *, is_chat: bool) -> list[PromptToken]:
        """Tokenize a prompt; in a chat, the template's special tokens are already in the text."""

    def decode(self, ids: Sequence[int], *, special: bool = False) -> str:
        """The text of some tokens, with or without special ones."""

    def generate(
        self,
        ids: Sequence[int],
        *,
        seed: int,
        settings: Mapping[str, Any],
        on_token: Callable[[int], None] | None = None,
    ) -> tuple[int, ...]:
        """Generate the tokens that continue these, greedily unless the settings say otherwise.

        Args:
            on_token: Called after each token with the number of tokens generated so far.
        """
