"""The options of an explainer and the settings of an explanation, both given as keywords."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from ..methods.base import Method
from ..tasks.targets import TargetName
from .answers import AttributeTo, PrefixCache
from .windows import Long


class Options(TypedDict, total=False):
    """Options shared by all constructors of Explainer.

    `batch_tokens`: the token budget of a batch; by default, it is measured once on this machine. `max_length`: the
    maximum number of tokens per text, up to the model's limit. `labels`: names for the outputs, for a model whose
    labels are only LABEL_0, LABEL_1, ...
    """

    batch_tokens: int | Literal["auto"] | None
    max_length: int | None
    labels: Sequence[str] | None


class Settings(TypedDict, total=False):
    """The settings of an explanation; the documentation lists the values of each setting.

    `method`: a name or a method object. `unit`: what is masked as one piece. `target`: the output to explain.
    `scale`: the scale of the scores. `baseline`: what replaces a masked unit. `sets`: `auto`, `none`, or the maximum
    number of passes for the search for deciding sets; by default `auto` for `explain` with the method `sig`, else
    `none`. `seed`: the random seed for methods that sample and for sampled answers. `long`: whether a text over the
    model's limit is `cut` or read in `windows`. `detail`: `sentence+word` scores sentences, then words in the sentences
    that matter most. It uses at most `detail_rows` passes for the words, or `rows` passes or `seconds` in total.

    For language models only: `continuation`: an answer to use instead of generating one. `max_new_tokens` and all other
    settings of `generate()`. `include_stop`: whether to explain the token that ends the answer too. `attribute_to`: the
    `prompt`, or `all` earlier tokens. `normalize`: whether a contrast of two continuations compares the `sum` or the
    `mean` over tokens. `prefix_cache`: whether the tokens before the first masked one are computed once and reused
    (`auto`), or computed every time (`never`).
    """

    method: str | Method
    unit: str
    target: TargetName
    scale: str
    baseline: str
    sets: str | int
    seed: int
    long: Long
    continuation: str | None
    max_new_tokens: int
    include_stop: bool
    attribute_to: AttributeTo
    normalize: Literal["sum", "mean"]
    prefix_cache: PrefixCache
    detail: str | None
    detail_rows: int | None
    rows: int | None
    seconds: float | None
