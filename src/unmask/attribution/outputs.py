"""The output of an encoder-decoder model, generated or given, as tokens that follow the source's tokens."""

from dataclasses import replace
from typing import cast

from ..errors import ArgumentError, TextError
from ..models.generative import GenerativeAdapter
from ..models.huggingface.sequences import PART
from ..models.huggingface.text2text import OUTPUT, SOURCE, Text2TextAdapter
from ..text.answer import Answer
from ..text.request import Request
from ..text.spans import EncodedSegment, Span, Token
from .answer_generator import Generate
from .answers import ANSWER, AnswerConfig, Completed, decoded_answer
from .segments import name_segments


def complete_output(
    adapter: GenerativeAdapter, request: Request, config: AnswerConfig, *, generate: Generate, limit: int | None = None
) -> Completed:
    """Return the tokens of a source and its output.

    Args:
        limit: The maximum number of source tokens, if below the model's limit.
    """
    if any(segment.role is not None for segment in request.segments):
        raise TextError(
            "an encoder-decoder model reads a source text, so it cannot read messages",
            hint="give the source as a string",
        )
    own, request = cast(Text2TextAdapter, adapter), name_segments(adapter.task, request)
    source = adapter.encode(*request.texts, max_length=limit).named(request.names)
    continuation = config.continuation if request.continuation is None else request.continuation
    begin = own.beginning(config.generate)
    start, warnings = len(source.ids) + len(begin), tuple[str, ...]()
    room = None if own.positions is None else own.positions - len(begin)
    if continuation is None:
        ids, answer, warnings = _generated(own, source.ids, config, generate, room)
    else:
        ids, answer = _given(own, continuation, room)
    marked = [Token(Span(0, 0), special=True)] * len(begin) + [Token(span, False, 1) for span in answer.spans]
    segment = EncodedSegment(answer.text, Span(0, len(answer.text)), False, ANSWER, ANSWER)
    encoded = replace(
        source,
        segments=(*source.segments, segment),
        ids=(*source.ids, *begin, *ids),
        tokens=(*source.tokens, *marked),
        inputs={PART: (SOURCE,) * len(source.ids) + (OUTPUT,) * (len(begin) + len(ids))},
        answer=replace(answer, start=start),
    )
    return Completed(encoded, warnings)


def _generated(
    adapter: Text2TextAdapter,
    source: tuple[int, ...],
    config: AnswerConfig,
    generate: Generate,
    room: int | None,
) -> tuple[tuple[int, ...], Answer, tuple[str, ...]]:
    """Generate the output, as far as the decoder has positions; drop its end token unless `include_stop` is set."""
    most = config.max_new_tokens if room is None else min(config.max_new_tokens, room)
    made = list(generate(source, seed=config.seed, settings={**config.generate, "max_new_tokens": most}))
    has_stop = bool(made) and made[-1] in adapter.stops
    is_capped = most < config.max_new_tokens and len(made) == most and not has_stop
    if has_stop and not config.include_stop:
        made.pop()
    if not made:
        raise TextError(
            "the model's output is empty: its first token is the stop token",
            hint="explain the stop token with include_stop=True, or give a continuation",
        )
    answer = decoded_answer(adapter, (), made)
    names = tuple(answer.text[slice(*span)] or name for span, name in zip(answer.spans, answer.tokens, strict=True))
    warnings = (f"the output stops after {most:,} tokens, the most that this model can write",) if is_capped else ()
    return tuple(made), replace(answer, tokens=names), warnings


def _given(adapter: Text2TextAdapter, continuation: str, room: int | None) -> tuple[tuple[int, ...], Answer]:
    """Tokenize a given output; reject one that is longer than the decoder's positions."""
    if not isinstance(continuation, str) or not continuation:
        raise ArgumentError(f"a continuation must be a non-empty string, not {continuation!r}")
    tokens = adapter.tokenize_output(continuation)
    if not tokens:
        raise TextError(f"the tokenizer produces no token for the continuation {continuation!r}")
    if room is not None and len(tokens) > room:
        raise TextError(
            f"the continuation has {len(tokens):,} tokens, but this model writes at most {room:,}",
            hint="shorten the continuation",
        )
    ids = tuple(token.id for token in tokens)
    spans = tuple(token.span for token in tokens)
    names = tuple(
        continuation[slice(*span)] or adapter.decode([one], special=True) for span, one in zip(spans, ids, strict=True)
    )
    return ids, Answer(0, continuation, names, spans, is_given=True)
