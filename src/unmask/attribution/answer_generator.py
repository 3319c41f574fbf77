"""Generates the answers of one model, reports progress, and can reuse an answer instead of generating it again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from ..models.generative import GenerativeAdapter

Generate: TypeAlias = Callable[..., tuple[int, ...]]  # same signature as an adapter's `generate`


class AnswerNeededError(Exception):
    """An answer is needed where generating is forbidden; not an `UnmaskError`, because the caller tries again later."""


class AnswerGenerator:
    """Calls the model to continue prompts."""

    def __init__(self, adapter: GenerativeAdapter) -> None:
        self._adapter = adapter
        self._on_token: Callable[[int], None] | None = None
        self._kept: dict[tuple[Any, ...], tuple[int, ...]] | None = None
        self._is_skipped = self._is_forbidden = False

    def __call__(self, ids: Sequence[int], *, seed: int, settings: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the tokens that the model generates after the given ones."""
        if self._is_skipped:
            return (
                next(one for one in (*ids, *range(len(self._adapter.stops) + 1)) if one not in self._adapter.stops),
            )
        key = (tuple(ids), seed, *sorted(map(repr, settings.items())))
        if self._kept is not None and key in self._kept:
            return self._kept[key]
        if self._is_forbidden:
            raise AnswerNeededError
        made = self._adapter.generate(ids, seed=seed, settings=settings, on_token=self._on_token)
        if self._kept is not None:
            self._kept[key] = made
        return made

    @contextmanager
    def reporting(self, on_token: Callable[[int], None] | None) -> Iterator[None]:
        """Within this context, call `on_token` with the number of tokens generated so far; it may raise to stop."""
        before, self._on_token = self._on_token, on_token
        try:
            yield
        finally:
            self._on_token = before

    @contextmanager
    def once(self) -> Iterator[None]:
        """Generate each answer only once, and reuse it within this context."""
        before, self._kept = self._kept, {} if self._kept is None else self._kept
        try:
            yield
        finally:
            self._kept = before

    @contextmanager
    def skipped(self) -> Iterator[None]:
        """Use a placeholder token as the answer, for results that depend only on the prompt."""
        before, self._is_skipped = self._is_skipped, True
        try:
            yield
        finally:
            self._is_skipped = before

    @contextmanager
    def forbidden(self) -> Iterator[None]:
        """Within this context, raise `AnswerNeededError` instead of generating an answer."""
        before, self._is_forbidden = self._is_forbidden, True
        try:
            yield
        finally:
            self._is_forbidden = before
