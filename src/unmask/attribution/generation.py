"""Prepares prompts and answers for the engine: the prompt's units, the answer's outputs, and contrasts of answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ..errors import ArgumentError, TextError
from ..models.adapter import Encoded
from ..questions import Scores
from ..tasks.answer_targets import NEXT, AnswerHead
from ..tasks.targets import Activation, Contrast, Head, TargetName
from ..tasks.text2text import Text2Text
from ..text.chat import QUESTION
from ..text.request import NAMES, Request
from ..text.spans import Span, Token, is_visible, shorten
from ..text.units import AlignedUnit, UnitSelection, align_units, select_units
from .answers import AnswerConfig, Completed, complete
from .attribute import AttributionConfig, PreparedText
from .detail import with_words
from .outputs import complete_output

if TYPE_CHECKING:
    from .session import ModelSession

FIRST = "nothing is left of the prompt when all units are {}, so every version of it starts with the token {}"


def prepare_generation(session: "ModelSession", request: Request, config: AttributionConfig) -> PreparedText:
    """Prepare a prompt with its answer, which is given or generated."""
    target, answers = config.target if request.target is None else request.target, config.answers
    if answers.attribute_to == "prompt" and not any(is_visible(one) for text in request.texts for one in text):
        raise TextError("the prompt has no unit to explain: it is empty")
    if tuple(request.names) == NAMES[2] and not isinstance(session.adapter.task, Text2Text):
        raise TextError(
            "a prompt is one text, but a second text was given",
            hint="join the two yourself, or name the parts: Request(segments=[(name, text), ...])",
        )
    _check_given(request, answers, target)
    if isinstance(target, Contrast):
        return _contrast(session, request, config, target)
    if target == NEXT:
        target, answers = 0, replace(answers, max_new_tokens=1)
    selection = select_units(request, unit=config.unit if answers.detail is None else "sentence")
    completing = complete_output if isinstance(session.adapter.task, Text2Text) else complete
    completed = completing(
        session.generative, request, answers, generate=session.generate_answer, limit=session.max_length
    )
    completed = replace(completed, warnings=(*completed.warnings, *_without_question(request)))
    prepared = _prepared(session, completed, selection, config, target)
    return prepared if answers.detail is None else with_words(prepared, config)


def _without_question(request: Request) -> tuple[str, ...]:
    """Warn that the documents are unknown if a prompt has several parts and none of them is the question."""
    roles = [segment.role for segment in request.segments]
    if len(roles) == 1 or any(roles) or QUESTION in request.names:
        return ()
    return (f"no part of the prompt is named {QUESTION!r}, so the answer without its documents is not computed",)


def _check_given(request: Request, answers: AnswerConfig, target: TargetName) -> None:
    """Reject a continuation together with a contrast, and `include_stop` without a generated answer."""
    continuation = answers.continuation if request.continuation is None else request.continuation
    if isinstance(target, Contrast) and continuation is not None:
        raise ArgumentError(
            f"a contrast names its own two continuations; the continuation {shorten(str(continuation))!r} would be "
            "ignored",
            hint="remove the continuation, or the contrast",
        )
    if answers.include_stop and (continuation is not None or isinstance(target, Contrast)):
        raise ArgumentError("include_stop applies to generated answers; remove it, or the given continuation")


def _prepared(
    session: "ModelSession",
    completed: Completed,
    selection: UnitSelection,
    config: AttributionConfig,
    target: TargetName,
) -> PreparedText:
    task, encoded, warnings = session.adapter.task, completed.encoded, list(completed.warnings)
    groups, documents = answer_units(encoded, selection, config.answers), completed.documents
    if not isinstance(task, Text2Text) and _needs_first(encoded, groups, config):
        encoded, groups = _with_first(session, encoded, groups)
        documents = tuple(token + 1 for token in documents)
        how = "ignored" if config.baseline.is_ignored else "removed"
        warnings.append(FIRST.format(how, session.generative.decode(encoded.ids[:1], special=True)))
    return PreparedText(
        encoded=encoded,
        baseline=config.baseline,
        readout=task.readout(encoded),
        shares_prefix=config.answers.prefix_cache == "auto",
        selection=selection,
        groups=groups,
        target=target,
        head=_with_names(task.text_head(encoded), session),
        documents=documents,
        blocks=_blocks(encoded, groups),
        warnings=tuple(warnings),
    )


def _with_names(head: Head, session: "ModelSession") -> Head:
    """Return the head, extended so that it can also name tokens that are not in the answer."""
    spell = session.generative.decode
    return replace(head, spell=lambda one: spell([one], special=True)) if isinstance(head, AnswerHead) else head


def answer_units(encoded: Encoded, selection: UnitSelection, answers: AnswerConfig) -> tuple[AlignedUnit, ...]:
    """Return the units of the prompt and, if requested, the answer's tokens except the last, which nothing follows."""
    answer = encoded.answer
    assert answer is not None
    prompt = () if _is_blank(encoded) else align_units(encoded.segments[:-1], encoded.tokens, selection)
    if answers.attribute_to == "prompt":
        return prompt
    *context, segment = encoded.segments
    last = len(encoded.ids) - 1
    own = [
        token if token.segment == len(context) and at < last else replace(token, special=True)
        for at, token in enumerate(encoded.tokens)
    ]
    before = replace(segment, read=Span(0, answer.spans[-1].start))
    if not any(map(is_visible, segment.text[slice(*before.read)])):
        return prompt
    return (*prompt, *align_units([*context, before], own, UnitSelection("token")))


def _is_blank(encoded: Encoded) -> bool:
    return not any(is_visible(one) for segment in encoded.segments[:-1] for one in segment.text)


def _blocks(encoded: Encoded, groups: Sequence[AlignedUnit]) -> tuple[int, ...]:
    """Return the segments (messages, documents, the answer so far) that have units; empty if only one is drawn."""
    found, last = tuple(dict.fromkeys(group.segment for group in groups)), len(encoded.segments) - 1
    return found if last + (last in found) > 1 else ()


def _needs_first(encoded: Encoded, groups: Sequence[AlignedUnit], config: AttributionConfig) -> bool:
    """Whether some version of the prompt would have no tokens, so the answer's first token could not be predicted."""
    assert encoded.answer is not None
    prompt = set(range(encoded.answer.start))
    if config.baseline.is_ignored and prompt <= {token for group in groups for token in group.tokens}:
        return True
    together = [[group] for group in groups] + [
        [group for group in groups if group.segment == block] for block in _blocks(encoded, groups)
    ]
    is_gone = any(prompt <= {token for group in one for token in group.tokens} for one in together)
    return not prompt or (config.method.removes and is_gone)


def _with_first(
    session: "ModelSession", encoded: Encoded, groups: Sequence[AlignedUnit]
) -> tuple[Encoded, tuple[AlignedUnit, ...]]:
    """Put a start token, which is never masked, in front of the text."""
    first, answer = session.generative.first, encoded.answer
    assert answer is not None
    if first is None:
        raise TextError("nothing would be left of the prompt, and this model has no BOS or EOS token to start from")
    limit = min((one for one in (session.max_length, session.adapter.limit) if one is not None), default=None)
    if limit is not None and len(encoded.ids) >= limit:
        raise TextError(f"with a start token, the prompt and its answer have more than {limit:,} tokens")
    longer = replace(
        encoded,
        ids=(first, *encoded.ids),
        tokens=(Token(Span(0, 0), special=True), *encoded.tokens),
        answer=replace(answer, start=answer.start + 1),
    )
    return longer, tuple(replace(group, tokens=tuple(token + 1 for token in group.tokens)) for group in groups)


def _contrast(session: "ModelSession", request: Request, config: AttributionConfig, target: Contrast) -> PreparedText:
    """Prepare a prompt with two continuations, to be scored by one job per continuation."""
    if config.answers.detail is not None:
        raise ArgumentError("detail is not supported for a contrast of two continuations; remove detail")
    if config.answers.attribute_to == "all":
        raise ArgumentError("a contrast of two continuations needs attribute_to='prompt'")
    if target.normalize not in ("sum", "mean"):
        raise ArgumentError(f"normalize must be 'sum' or 'mean', not {target.normalize!r}")
    if target.label == target.against:
        raise ArgumentError(f"a contrast of {target.label!r} with itself is always 0; give two continuations")
    if not config.method.is_signed:
        raise ArgumentError(f"method {config.method.name!r} has unsigned scores and cannot contrast two continuations")
    first, second = (prepare_generation(session, one, config) for one in contrasted(request, target))
    if [(one.span, one.segment) for one in first.groups] != [(one.span, one.segment) for one in second.groups]:
        raise TextError(
            f"the continuations {target.label!r} and {target.against!r} change the tokens of the prompt itself, so its "
            "units differ",
            hint="begin both continuations with a space, or with the same characters",
        )
    activation: Activation = "sequence_mean" if target.normalize == "mean" else "sequence"
    head = Head((str(target.label), str(target.against)), activation)
    lengths = (len(first.head.labels), len(second.head.labels))
    return replace(first, head=head, target=target, answer_lengths=lengths)


def contrasted(request: Request, target: Contrast) -> tuple[Request, Request]:
    """Return one request for each continuation of a contrast."""
    first, second = (
        replace(request, target="predicted", continuation=str(one)) for one in (target.label, target.against)
    )
    return first, second


def combine_contrast(prepared: PreparedText) -> Callable[[Sequence[Scores]], Scores]:
    """Combine the scores of two continuations into scores of their contrast, with one output per continuation."""

    def combine(parts: Sequence[Scores]) -> Scores:
        if any(part.ranking is not None for part in parts):
            raise ArgumentError("this method ranks units for one answer; to contrast two, use sig or shapley")
        lengths, targets = prepared.answer_lengths, [part.target for part in parts]
        divisors = (1, 1) if lengths is None or prepared.head.activation == "sequence" else lengths

        def columns(name: str) -> Tensor | None:
            raw = [getattr(part, name) for part in parts]
            if any(one is None for one in raw):
                return None
            known = zip(targets, raw, divisors, strict=True)
            return torch.stack([target(one) / size for target, one, size in known if target is not None], -1)

        first, second = (part.values / size for part, size in zip(parts, divisors, strict=True))
        whole, without, alone = columns("whole"), columns("without"), columns("alone")
        assert whole is not None
        by_output = torch.stack([first, second], -1) if without is None and alone is None else None
        errors = [part.standard_errors for part in parts]
        return Scores(
            first - second,
            without=without,
            alone=alone,
            by_output=by_output,
            standard_errors=_joint(errors, divisors),
            warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
            target=prepared.resolve_target(whole, "log_probability"),
            whole=whole,
            at_baseline=columns("at_baseline"),
            without_documents=columns("without_documents"),
            without_blocks=columns("without_blocks"),
        )

    return combine


def _joint(errors: Sequence[Tensor | None], divisors: Sequence[int]) -> Tensor | None:
    """Return the standard errors of a difference between independent estimates."""
    known = [error / size for error, size in zip(errors, divisors, strict=True) if error is not None]
    return torch.stack(known).square().sum(0).sqrt() if len(known) == len(errors) else None
