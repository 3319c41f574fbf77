"""The adapter for Hugging Face causal language models: prompts, answers and chat templates."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import GenerationConfig, PreTrainedModel, PreTrainedTokenizerBase, StoppingCriteria

from ...errors import ArgumentError, ModelError, TextError, first_line
from ..adapter import IGNORED, Baseline, Batch
from ..generative import PromptToken
from . import offsets
from .adapter import KEPT, HuggingFaceAdapter, pad_lent
from .embedding import replace_embeddings
from .ignoring import why_not_ignored
from .pausing import can_pause
from .prefix_cache import Prefix, can_share, compute_prefix

END_OF_TEXT = re.compile(r"end.?of.?text", re.IGNORECASE)  # matches <|endoftext|>, whatever its role in the tokenizer


class TokenCounter(StoppingCriteria):
    """A stopping criterion that never stops, used to report every generated token.

    What `on_token` does cannot change the answer: it may even run the model on other inputs, if the model can pause.
    """

    def __init__(self, before: int, on_token: Callable[[int], None]) -> None:
        self._before, self._on_token = before, on_token

    def __call__(self, input_ids: Tensor, scores: Any, **kwargs: Any) -> Tensor:
        """Report the number of tokens generated so far."""
        devices = [input_ids.device] if input_ids.device.type == "cuda" else []
        with torch.random.fork_rng(devices), torch.inference_mode(mode=False), torch.enable_grad():
            self._on_token(input_ids.shape[1] - self._before)
        return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)


class CausalAdapter(HuggingFaceAdapter):
    """A causal language model and its tokenizer."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        super().__init__(model, tokenizer)
        self._check_kind()

    def _check_kind(self) -> None:
        if self._model.config.is_encoder_decoder:
            raise ModelError(f"{type(self._model).__name__} reads its prompt with an encoder, which is not supported")

    @property
    def vocabulary_size(self) -> int:
        """The number of logits at each token."""
        return int(self._model.config.get_text_config().vocab_size)

    @property
    def keeps_positions(self) -> bool:
        """Whether the model can compute logits for only some of the tokens."""
        return KEPT in self._accepted

    @property
    def can_pause(self) -> bool:
        """Whether the model can run other inputs between two tokens of an answer."""
        return self.pads and can_pause(self._model)

    @property
    def stops(self) -> frozenset[int]:
        """The tokens that end an answer: those of the generation settings, or else the tokenizer's EOS token."""
        given = getattr(self._model.generation_config, "eos_token_id", None)
        known = self._tokens.tokenizer.eos_token_id if given is None else given
        return frozenset([] if known is None else [known] if isinstance(known, int) else known)

    @property
    def first(self) -> int | None:
        """The token that may begin every text: the tokenizer's BOS token, or else its EOS token."""
        tokenizer = self._tokens.tokenizer
        known = (tokenizer.bos_token_id, tokenizer.eos_token_id)
        return next((one for one in known if one is not None and one < self._rows), None)

    @property
    def has_template(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return bool(getattr(self._tokens.tokenizer, "chat_template", None))

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name; `auto` never picks a token that has another meaning for the model."""
        return super().baseline(self._fair_baseline() if name == "auto" else name)

    def _fair_baseline(self) -> str:
        """The best baseline: a dedicated pad token, else a dedicated unknown token, else `ignored`.

        A token that ends texts does not qualify, because it tells the model that the text is over.
        """
        tokenizer = self._tokens.tokenizer
        taken = {tokenizer.bos_token_id, tokenizer.eos_token_id, *self.stops}
        for name, others in (("pad", {*taken, tokenizer.unk_token_id}), ("unk", taken)):
            token = getattr(tokenizer, f"{name}_token_id")
            is_free = token is not None and token < self._rows and token not in others
            if is_free and not END_OF_TEXT.search(getattr(tokenizer, f"{name}_token")):
                return name
        if why_not_ignored(self._model, self._accepted) is None:
            return IGNORED
        return "zero" if tokenizer.eos_token_id is None else "eos"

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Render a chat with the model's own template, up to where the answer begins."""
        try:
            with self._reading:
                return str(
                    self._tokens.tokenizer.apply_chat_template(
                        [dict(message) for message in messages], tokenize=False, add_generation_prompt=True
                    )
                )
        except Exception as error:  # a template may raise anything
            raise TextError(f"the chat template rejects these messages: {first_line(error)}") from error

    def tokenize(self, text: str, *, is_chat: bool) -> list[PromptToken]:
        """Tokenize a prompt, without the tokens that the tokenizer appends at the end."""
        tokenizer = self._tokens.tokenizer
        with self._reading:
            found = offsets.tokenize(tokenizer, text, is_framed=not is_chat)
        tokens = [
            PromptToken(one, span, added and not is_chat, one == tokenizer.unk_token_id)
            for one, span, added in zip(found.ids, found.spans, found.added, strict=True)
        ]
        while tokens and tokens[-1].is_added:
            tokens.pop()
        if max((token.id for token in tokens), default=-1) >= self._rows:
            raise TextError(f"the tokenizer returned a token beyond the model's {self._rows} embeddings")
        return tokens

    def decode(self, ids: Sequence[int], *, special: bool = False) -> str:
        """The text of some tokens, with or without special ones."""
        with self._reading:
            return str(
                self._tokens.tokenizer.decode(
                    list(ids), skip_special_tokens=not special, clean_up_tokenization_spaces=False
                )
            )

    def generate(
        self,
        ids: Sequence[int],
        *,
        seed: int,
        settings: Mapping[str, Any],
        on_token: Callable[[int], None] | None = None,
    ) -> tuple[int, ...]:
        """Generate a continuation of these tokens; the model's own generation settings only provide the stop tokens."""
        config = self._generation_config(settings)
        prompt = torch.tensor([list(ids)], device=self.device)
        more: dict[str, Any] = {"tokenizer": self._tokens.tokenizer} if config.stop_strings is not None else {}
        if on_token is not None:
            more["stopping_criteria"] = [TokenCounter(len(ids), on_token)]
        devices = [self.device] if self.device.type == "cuda" else []
        with self.inference_context(), torch.inference_mode(), torch.random.fork_rng(devices):
            torch.manual_seed(seed)
            try:
                made = self._model.generate(
                    prompt, attention_mask=torch.ones_like(prompt), generation_config=config, **more
                )
            except (ValueError, TypeError) as error:
                raise ArgumentError(f"the model cannot generate with these settings: {first_line(error)}") from error
        return tuple(made[0, len(ids) :].tolist())

    def _generation_config(self, settings: Mapping[str, Any]) -> GenerationConfig:
        defaults = {"do_sample": False, "eos_token_id": sorted(self.stops) or None, "pad_token_id": self._pad(set())}
        try:
            return GenerationConfig(**{**defaults, **settings})
        except (ValueError, TypeError) as error:
            raise ArgumentError(f"the model cannot generate with these settings: {first_line(error)}") from error

    def can_share_prefix(self, length: int) -> bool:
        """Whether inputs of that length can share a cached prefix."""
        return self.pads and can_share(self._model, self._accepted, length)

    def prefix(self, ids: Sequence[int]) -> Prefix:
        """Compute the keys and values of a text's first tokens; call this inside the inference context."""
        return compute_prefix(self._model, torch.tensor([list(ids)], device=self.device), self._accepted)

    def outputs_behind(self, prefix: Prefix, length: int, batch: Batch, vectors: Tensor) -> Tensor:
        """The same logits as `outputs`, with cached keys and values for the first `length` tokens of all rows."""
        assert batch.positions is not None
        inputs = self._inputs(batch)
        inputs |= {"input_ids": batch.ids[:, length:], "position_ids": inputs["position_ids"][:, length:]}
        inputs |= {"past_key_values": prefix.for_rows(len(batch.ids), length), "use_cache": True}
        if KEPT in inputs:
            inputs[KEPT] = batch.positions - length
        with (
            replace_embeddings(self._words(batch.ids), inputs["input_ids"], vectors[:, length:]),
            pad_lent(self._model.config, batch.pad),
        ):
            return self._model(**inputs).logits  # type: ignore[no-any-return]  # modules are untyped

    def _inputs(self, batch: Batch) -> dict[str, Any]:
        """The model's inputs, always with position ids, which some models would derive from the attention mask."""
        inputs = {**super()._inputs(batch), "input_ids": batch.ids}
        if "position_ids" in self._accepted:
            inputs["position_ids"] = torch.arange(batch.ids.shape[1], device=batch.ids.device).expand_as(batch.ids)
        return inputs
