"""The options of an explainer and the settings of an explanation, as keywords."""

from collections.abc import Sequence
from typing import Literal, TypedDict

from ..methods.base import Method
from ..tasks.targets import TargetName
from .answers import AttributeTo, PrefixCache
from .windows import Long


class Options(TypedDict, total=False):
    """Options of every constructor of an Explainer.

    `batch_tokens`: the token budget of a batch, or `auto`: measured once on this machine. `max_length`: read fewer
    tokens of a text than the model could. `labels`: names for the outputs, where the model has only LABEL_0.
    """

    batch_tokens: int | Literal["auto"] | None
    max_length: int | None
    labels: Sequence[str] | None


class Settings(TypedDict, total=False):
    """The settings of an explanation; see the README for the values of each.

    `method`: a name or a method object. `unit`: what is masked as one piece. `target`: the output to explain.
    `scale`: of the scores. `baseline`: what replaces a masked unit. `sets`: `auto`, `none`, or how many rows the search
    for deciding sets may take; `explain` uses `auto` with the method `sig`, all else `none`. `seed`: for methods that
    draw at random, and for sampled answers. `long`: a text that is longer than the model reads is `cut`, or read in
    `windows`. `detail`: `sentence+word` scores sentences, then words in those that matter most: at most `detail_rows`,
    or until `rows` or `seconds` are spent in all.

    Of language models only: `continuation`, an answer instead of generating one; `max_new_tokens` and all other
    settings of `generate()`; `include_stop`: whether the token that ends the answer is explained too;
    `attribute_to`: the `prompt`, or `all` earlier tokens; `normalize`: of a contrast of two continuations;
    `prefix_cache`: whether what precedes the first masked token is computed once (`auto`) or every time (`never`);
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
