"""A model defined by a formula, for tests and examples. It is also the shortest adapter."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import regex
import torch
from torch import Tensor

from ..errors import check_known
from ..results.metadata import ModelInfo
from ..tasks.classification import Classification
from ..tasks.targets import Head
from ..tasks.task import Task
from ..text.spans import EncodedSegment, Span, Token
from .adapter import IGNORED, Baseline, Batch, Encoded, pad_right
from .vocabulary import Vocabulary

PAD, MASK, UNKNOWN = 0, 1, 2
Formula = Callable[[Tensor, Tensor], Tensor]  # vectors [rows, length, width], attention [rows, length] -> outputs


class FormulaModel:
    """A model whose outputs are computed from the word vectors by a formula.

    Args:
        vectors: The vector of each known word; other words, the mask and the padding get the zero vector.
        formula: A function from vectors and attention (1 where there is a word) to raw outputs, [rows, outputs].
    """

    limit: int | None = None
    pads = True
    device = torch.device("cpu")
    precision = torch.finfo(torch.float64).eps

    def __init__(
        self,
        vectors: Mapping[str, Sequence[float]],
        formula: Formula,
        *,
        head: Head = Head(("negative", "positive")),  # noqa: B008  a frozen value
        name: str = "closed-form",
    ) -> None:
        width = len(next(iter(vectors.values())))
        self._ids = {word: index for index, word in enumerate(vectors, start=UNKNOWN + 1)}
        rows = [[0.0] * width] * (UNKNOWN + 1) + [list(vector) for vector in vectors.values()]
        self._table = torch.tensor(rows, dtype=torch.float64)
        self._vocabulary = Vocabulary(self._table, ["[PAD]", "[MASK]", "[UNK]", *vectors], special=(PAD, MASK, UNKNOWN))
        self._formula = formula
        self.name = name
        self.head = head

    @classmethod
    def weighted_words(cls, weights: Mapping[str, float]) -> "FormulaModel":
        """A model with the logits 0 (`negative`) and the sum of all weights (`positive`), so scores are weights."""
        return cls({word: [weight] for word, weight in weights.items()}, _total, name="weighted-words")

    @property
    def task(self) -> Task:
        """A classification task with the head given."""
        return Classification(self.head)

    def model_info(self) -> ModelInfo:
        """The model's name and a hash of its vectors."""
        content = repr((self._ids, self._table.tolist(), self.head)).encode()
        return ModelInfo(self.name, f"sha256:{hashlib.sha256(content).hexdigest()}")

    def encode(self, *texts: str, max_length: int | None) -> Encoded:
        """Split any number of texts into words and punctuation, one token each; the last text is truncated first."""
        segments, tokens, ids = [], list[Token](), list[int]()
        for segment, text in enumerate(texts):
            spans = [Span(*match.span()) for match in regex.finditer(r"\w+|[^\w\s]", text)]
            read = spans if max_length is None else spans[: max_length - len(tokens)]
            is_cut = len(read) < len(spans)
            end = len(text) if not is_cut else read[-1].end if read else 0
            segments.append(EncodedSegment(text, Span(0, end), is_cut))
            tokens += [Token(span, segment=segment) for span in read]
            ids += [self._ids.get(text[slice(*span)], UNKNOWN) for span in read]
        return Encoded(tuple(segments), tuple(ids), tuple(tokens))

    def baseline(self, name: str) -> Baseline:
        """The baseline of that name: `mask`, `pad`, `unk` and `zero` are the zero vector; `ignored` has no vector."""
        known = {"auto": MASK, "mask": MASK, "pad": PAD, "unk": UNKNOWN, "zero": None, IGNORED: None}
        check_known("baseline", [name], known)
        shown = "mask" if name == "auto" else name
        return Baseline(shown, None if known[name] is None else f"[{shown.upper()}]", known[name])

    def vocabulary(self) -> Vocabulary:
        """The known words; the mask, padding and unknown tokens are special."""
        return self._vocabulary

    def batch(self, texts: Sequence[Encoded]) -> Batch:
        """The texts padded on the right."""
        ids = pad_right([text.ids for text in texts], PAD, device=self.device)
        return Batch(ids, pad_right([(1,) * len(text.ids) for text in texts], 0, device=self.device), PAD)

    @contextmanager
    def inference_context(self) -> Iterator[None]:
        """Do nothing: a formula has no state."""
        yield

    def embed(self, ids: Tensor) -> Tensor:
        """Each word's vector."""
        return self._table[ids]

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The formula applied to these vectors."""
        return self._formula(vectors, batch.attended)

    def reference_outputs(self, batch: Batch) -> Tensor:
        """The formula applied to the unchanged words."""
        return self.outputs(batch, self.embed(batch.ids))


def _total(vectors: Tensor, attention: Tensor) -> Tensor:
    """Two logits: 0, and the sum of the words' only feature."""
    positive = (vectors[..., 0] * attention).sum(-1)
    return torch.stack([torch.zeros_like(positive), positive], -1)
