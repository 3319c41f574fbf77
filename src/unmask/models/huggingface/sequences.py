"""Adapters for models that need several sequences per input: a prompt with each choice, or two separate texts.

A row of a batch holds the tokens of all its sequences. The model runs each distinct sequence once, even if several rows
contain it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...errors import TextError
from ...results.metadata import ModelInfo
from ...text.spans import is_visible
from ..adapter import Batch, Encoded, pad_right
from .adapter import HuggingFaceAdapter, pad_lent
from .pooling import pooling_of

PART = "sequence"  # the input that says which sequence of its row a token belongs to


@dataclass(frozen=True, slots=True)
class Sequences:
    """The sequences of a batch: the (row, number) of each, and its token positions in that row, [sequences, length]."""

    owners: list[tuple[int, int]]
    places: Tensor
    attention: Tensor

    @classmethod
    def of(cls, batch: Batch) -> "Sequences":
        """Find all sequences of a batch."""
        owners, places = [], []
        for row, parts in enumerate(batch.inputs[PART].tolist()):
            for part in sorted({one for one in parts if one >= 0}):
                owners.append((row, part))
                places.append(torch.tensor([at for at, one in enumerate(parts) if one == part]))
        lengths = torch.tensor([len(one) for one in places])
        grid = pad_sequence(places, batch_first=True).to(batch.ids.device)
        attention = (torch.arange(grid.shape[1]) < lengths[:, None]).long().to(batch.ids.device)
        return cls(owners, grid, attention)

    def take(self, values: Tensor, fill: float | None = None) -> Tensor:
        """Rearrange values from [rows, length, ...] to [sequences, length, ...]."""
        rows = torch.tensor([row for row, _ in self.owners], device=values.device)
        taken = values[rows[:, None], self.places]
        return taken if fill is None else taken.masked_fill(self.attention == 0, fill)

    def batch(self, batch: Batch) -> Batch:
        """A batch with one row per sequence."""
        inputs = {name: self.take(values, 0) for name, values in batch.inputs.items() if name != PART}
        ignored = None if batch.ignored is None else self.take(batch.ignored) & (self.attention > 0)
        return Batch(self.take(batch.ids, batch.pad), self.attention, batch.pad, inputs, ignored=ignored)

    def rows(self, outputs: Tensor, count: int) -> Tensor:
        """Join the outputs of each row's sequences, [rows, sequences * outputs]; zero for sequences a row lacks."""
        most = 1 + max(part for _, part in self.owners)
        found = outputs.new_zeros(count, most, outputs.shape[-1])
        rows, parts = (torch.tensor(one, device=outputs.device) for one in zip(*self.owners, strict=True))
        return found.index_put((rows, parts), outputs).flatten(1)


class SequencesAdapter(HuggingFaceAdapter):
    """A model that reads each sequence of a row separately."""

    def sequences(self, texts: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """The texts of each sequence, and the segments they come from."""
        raise NotImplementedError

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """Tokenize all sequences and join their tokens."""
        parts = []
        for own, segments in self.sequences(texts):
            found = super().encode(*own, max_length=max_length)
            tokens = tuple(replace(token, segment=segments[token.segment]) for token in found.tokens)
            read = dict(zip(segments, found.segments, strict=True))
            parts.append((replace(found, tokens=tokens), read))
        cut: dict[int, Any] = {}
        for _, read in parts:  # a text that several sequences share may be truncated differently in each
            for at, segment in read.items():
                if at not in cut or segment.unread > cut[at].unread:
                    cut[at] = segment
        names = parts[0][0].inputs
        inputs = {name: tuple(one for part, _ in parts for one in part.inputs[name]) for name in names}
        inputs[PART] = tuple(at for at, (part, _) in enumerate(parts) for _ in part.ids)
        return Encoded(
            tuple(cut[at] for at in sorted(cut)),
            tuple(one for part, _ in parts for one in part.ids),
            tuple(token for part, _ in parts for token in part.tokens),
            inputs,
        )

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The rows padded to one length, with the number of each token's sequence."""
        batch = super().batch(texts)
        parts = pad_right([text.inputs[PART] for text in texts], -1, device=batch.ids.device)
        return replace(batch, inputs={**batch.inputs, PART: parts})

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The outputs of all sequences, [rows, sequences * outputs]; without gradients, equal sequences run once."""
        found = Sequences.of(batch)
        sequences, own = found.batch(batch), found.take(vectors)
        if vectors.requires_grad:
            return found.rows(super().outputs(sequences, own), len(batch.ids))
        firsts, index = distinct(sequences, own)
        parts = torch.tensor([part for _, part in found.owners], device=firsts.device)[firsts]
        order, raws = list[Tensor](), list[Tensor]()
        for part in parts.unique():  # corresponding sequences have similar lengths, so there is little padding
            rows = firsts[parts == part]
            length = int(sequences.attention[rows].sum(-1).max())
            order.append((parts == part).nonzero()[:, 0])
            raws.append(super().outputs(_chosen(sequences, rows, length), own[rows, :length]))
        raw = torch.cat(raws)[torch.cat(order).argsort()]
        return found.rows(raw[index], len(batch.ids))

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The outputs of all sequences from the unchanged model."""
        found = Sequences.of(batch)
        return found.rows(super().reference_outputs(found.batch(batch)), len(batch.ids))


def distinct(batch: Batch, vectors: Tensor) -> tuple[Tensor, Tensor]:
    """The indices of the distinct rows, and for each row the index of the distinct row that it equals."""
    sums = (vectors.sum(-1) * batch.attention).sum(-1).tolist()  # rows with equal sums are compared in full
    keys = zip(sums, batch.ids.tolist(), batch.attended.tolist(), strict=True)
    known, firsts, index = dict[Any, list[int]](), list[int](), list[int]()
    for row, (total, ids, attended) in enumerate(keys):
        alike = known.setdefault((total, tuple(ids), tuple(attended)), [])
        real = batch.attention[row] > 0
        same = next((at for at in alike if torch.equal(vectors[firsts[at]][real], vectors[row][real])), None)
        if same is None:
            same = len(firsts)
            alike.append(same)
            firsts.append(row)
        index.append(same)
    return torch.tensor(firsts, device=vectors.device), torch.tensor(index, device=vectors.device)


def _chosen(batch: Batch, rows: Tensor, length: int) -> Batch:
    """Some rows, truncated to `length`, after which they contain only padding."""
    inputs = {name: values[rows, :length] for name, values in batch.inputs.items()}
    ignored = None if batch.ignored is None else batch.ignored[rows, :length]
    return Batch(batch.ids[rows, :length], batch.attention[rows, :length], batch.pad, inputs, ignored=ignored)


class ChoiceAdapter(SequencesAdapter):
    """A multiple-choice model, which reads the prompt with each choice."""

    def sequences(self, texts: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """One sequence per choice: the prompt followed by that choice."""
        if len(texts) < 3:
            raise TextError(
                f"a multiple-choice model reads a prompt and two or more choices; the request has {len(texts)} "
                f"text{'' if len(texts) == 1 else 's'}",
                hint='use Request(segments=[("prompt", "..."), ("choice 1", "..."), ("choice 2", "...")])',
            )
        return [((texts[0], choice), (0, at)) for at, choice in enumerate(texts[1:], 1)]

    def _run(self, batch: Batch) -> Tensor:
        """One logit per sequence, [sequences, 1]. The model sees each sequence as a question with a single choice."""
        inputs = {
            name: value[:, None] if isinstance(value, Tensor) else value for name, value in self._inputs(batch).items()
        }
        with pad_lent(self._model.config, batch.pad):
            return self._model(**inputs).logits  # type: ignore[no-any-return]  # modules are untyped


class SimilarityAdapter(SequencesAdapter):
    """A sentence encoder, which embeds two texts separately."""

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        super().__init__(model, tokenizer)
        self.pooling = pooling_of(self._model)
        self.limit = min((one for one in (self.limit, self.pooling.limit) if one is not None), default=None)

    def sequences(self, texts: Sequence[str]) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """One sequence per text."""
        if len(texts) != 2:
            raise TextError(
                f"similarity compares two texts, but the request has {len(texts)}",
                hint="pass the second text as text_pair (--pair on the command line)",
            )
        for which, text in zip(("first", "second"), texts, strict=True):
            if not any(map(is_visible, text)):
                raise TextError(f"similarity is of two texts, but the {which} text is {'blank' if text else 'empty'}")
        return [((texts[0],), (0,)), ((texts[1],), (1,))]

    def model_info(self) -> ModelInfo:
        """The model's name and a hash of its content and its pooling."""
        found = super().model_info()
        digest = hashlib.sha256(f"{found.hash} {self.pooling}".encode())
        return ModelInfo(found.name, f"sha256:{digest.hexdigest()}")

    def _run(self, batch: Batch) -> Tensor:
        """The pooled embeddings, [sequences, width]."""
        with pad_lent(self._model.config, batch.pad):
            hidden = self._model(**self._inputs(batch)).last_hidden_state
        return self.pooling.reduce(hidden, batch.attended)
