"""A pool of Ray workers: hands out chunks, collects results and replaces workers that die. Writes no files.

Ray itself restarts no workers and retries no tasks. Only the driver does, so each chunk is returned exactly once.
"""

import hashlib
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from ..attribution.attribute import versions
from ..errors import ArgumentError, ModelError, first_line
from ..progress import Progress, Report
from .base import Chunk, ChunkWork, Compute, Computed, Result
from .ledger import ChunkLedger, ChunkPart
from .ray_engine import RayEngine
from .ray_start import connected
from .ray_worker import Worker, pack

DEPTH = 2  # chunks given to a worker at once: it computes the next one while the driver stores a result
AHEAD = 8  # finished chunks per worker that may wait for an earlier chunk
STARTS = 3  # give up after this many workers in a row die while opening the model
PATIENCE = 300.0  # seconds without any worker


@dataclass(slots=True, eq=False)
class _Member:
    """A worker and the pieces it has been given."""

    actor: Any
    opening: Any  # reference to the result of `open`; None once the worker is open
    node: str = ""
    given: deque[tuple[Any, ChunkPart]] = field(default_factory=deque)  # references to results, in order

    @property
    def references(self) -> list[Any]:
        return [self.opening] if self.opening is not None else [reference for reference, _ in self.given]


class RayExecutor:
    """Computes chunks on workers that live as long as the executor."""

    def __init__(self, engine: RayEngine) -> None:
        self._engine, self._stack = engine, ExitStack()
        self._ray: Any = None
        self._members: list[_Member] = []
        self._packed: Any = None
        self._work: ChunkWork | None = None  # the function that the workers have loaded or are loading
        self._opened_with: tuple[Any, ...] = ()
        self._needs: dict[str, float] = {}  # resources per worker
        self._failed_starts, self._last_open = 0, 0.0

    def __enter__(self) -> "RayExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        for member in self._members:
            self._ray.kill(member.actor)
        self._members.clear()
        self._packed = None
        self._stack.close()

    def map(
        self, function: Compute[Chunk, Result], chunks: Iterable[Chunk], progress: Report | None = None
    ) -> Computed[Chunk, Result]:
        """Yield every chunk with its result, in order."""
        if not isinstance(function, ChunkWork):
            raise ArgumentError(f"{type(function).__name__} cannot run in other processes")
        ledger = ChunkLedger(function, chunks, window=AHEAD)
        if ledger.is_finished:
            return  # Ray is not needed
        self._start(function)
        ledger.window = AHEAD * len(self._members)
        try:
            yield from self._run(ledger, progress)
        finally:
            for member in self._members:
                member.given.clear()

    def _run(self, ledger: ChunkLedger, progress: Report | None) -> Iterator[tuple[Any, Any]]:
        done = Progress(0, 0)
        while not ledger.is_finished:
            self._hand_out(ledger)
            for member, reference in self._ready():
                done += self._receive(member, reference, ledger)
                if progress is not None:
                    progress(done)
                yield from ledger.take_finished()  # before the next answer, which may be an error

    def _start(self, work: ChunkWork) -> None:
        """Start Ray and the workers unless they are running, and make the workers load the function."""
        engine = self._engine
        if self._ray is None:
            connection = connected(engine.address, cpus=engine.cpus(work.threads), debug=engine.debug)
            self._ray = self._stack.enter_context(connection)
        if work is self._work:
            return  # the workers have already loaded it
        self._work, packed = work, pack(work)
        gpus = engine.gpus_per_worker
        gpus = float(work.device == "cuda") if gpus is None else gpus
        self._needs = {"num_cpus": work.threads, "num_gpus": gpus}
        key = hashlib.blake2b(packed, digest_size=16).hexdigest()
        self._packed = self._ray.put(packed)
        self._opened_with = (self._packed, key, versions(), "cuda:0" if gpus else "cpu")
        self._last_open = time.monotonic()
        for member in self._members:
            member.opening = member.actor.open.remote(*self._opened_with)
        while len(self._members) < self._wanted(work.threads, gpus):
            self._add()

    def _wanted(self, threads: int, gpus: float) -> int:
        if self._engine.workers is not None:
            return self._engine.workers
        there = self._ray.cluster_resources()
        return max(1, int(there.get("GPU", 0.0) / gpus if gpus else there.get("CPU", 1.0) / threads))

    def _add(self) -> None:
        actor = self._ray.remote(Worker).options(max_restarts=0, max_task_retries=0, **self._needs).remote()
        self._members.append(_Member(actor, actor.open.remote(*self._opened_with)))

    def _hand_out(self, ledger: ChunkLedger) -> None:
        """Give chunks to every open worker, the least busy first."""
        for depth in range(DEPTH):
            for member in self._members:
                if member.opening is None and len(member.given) <= depth:
                    piece = ledger.next_piece()
                    if piece is None:
                        return
                    member.given.append((member.actor.compute.remote(piece.chunk), piece))

    def _ready(self) -> Iterator[tuple[_Member, Any]]:
        """Yield the answers that have arrived; wait for at least one."""
        owners = {reference: member for member in self._members for reference in member.references}
        ready, others = self._ray.wait(list(owners), num_returns=1, timeout=1.0, fetch_local=False)
        if ready and others:
            ready += self._ray.wait(others, num_returns=len(others), timeout=0, fetch_local=False)[0]
        there = set(ready)
        for reference, member in owners.items():  # in order: a worker's results come before the report of its death
            if reference in there and reference in member.references:  # not if an earlier answer reported its death
                yield member, reference
        self._check_patience()

    def _receive(self, member: _Member, reference: Any, ledger: ChunkLedger) -> Progress:
        """Handle an answer, and return the progress made."""
        errors = self._ray.exceptions
        try:
            answer = self._ray.get(reference)
        except errors.RayActorError as error:
            self._replace(member, ledger, error)
            return Progress(0, 0)
        except errors.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from None
        except errors.RayError:  # the result was stored on a machine that has left the cluster
            self._remove_given(member, reference, ledger)
            return Progress(0, 0)
        if reference == member.opening:
            member.opening, member.node = None, answer
            self._failed_starts, self._last_open = 0, time.monotonic()
            return Progress(0, 0)
        result, progress = answer
        piece = next(piece for own, piece in member.given if own == reference)
        member.given = deque(one for one in member.given if one[0] != reference)
        ledger.put(piece, result)
        return Progress(progress.texts, progress.rows)

    def _remove_given(self, member: _Member, reference: Any, ledger: ChunkLedger) -> None:
        for own, piece in member.given:
            if own == reference:
                ledger.return_piece(piece)
        member.given = deque(one for one in member.given if one[0] != reference)

    def _replace(self, member: _Member, ledger: ChunkLedger, error: Exception) -> None:
        """Replace a worker that died. Assume that its first chunk caused the death, unless its machine is down."""
        self._members.remove(member)
        pieces, is_open = [piece for _, piece in member.given], member.opening is None
        member.given.clear()
        if pieces and self._is_alive(member.node):
            for piece in reversed(pieces[1:]):
                ledger.return_piece(piece)
            ledger.blame(pieces[0])
        else:
            for piece in reversed(pieces):
                ledger.return_piece(piece)
        if not is_open:
            self._failed_starts += 1
            if self._failed_starts == STARTS:
                raise ModelError(
                    f"{STARTS} workers in a row died while opening the model: {first_line(error)}",
                    hint="use fewer workers, or machines with more memory",
                ) from error
        self._ray.kill(member.actor)
        self._add()

    def _is_alive(self, node: str) -> bool:
        return any(one["NodeID"] == node and one["Alive"] for one in self._ray.nodes())

    def _check_patience(self) -> None:
        """Raise an error after a long time without any worker."""
        if any(member.opening is None for member in self._members):
            self._last_open = time.monotonic()
        elif time.monotonic() - self._last_open > PATIENCE:
            there, needs = self._ray.cluster_resources(), self._needs
            raise ModelError(
                f"no worker started within {PATIENCE:.0f} s: each needs {needs['num_cpus']} CPUs and "
                f"{needs['num_gpus']:g} GPUs; the cluster has {there.get('CPU', 0):g} and {there.get('GPU', 0):g}",
                hint="free resources in the cluster, or lower --gpus-per-worker",
            )
