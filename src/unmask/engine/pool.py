"""Runs the jobs of several callers on one engine, one batch at a time, in an order that the caller of `step` chooses.

Unlike in `Engine.run`, results are available as soon as they are computed, and jobs may come and go between batches.
"""

from collections.abc import Sequence
from typing import Any

from ..errors import UnmaskError
from .engine import Engine, combined_result
from .job import ActiveJob, Job, JobGroup, JobResult


class PooledJobs:
    """The jobs of one caller."""

    def __init__(self, engine: Engine, jobs: Sequence[Job[Any] | JobGroup[Any] | UnmaskError]) -> None:
        self.under_way = [engine.start(job) for job in jobs]

    @property
    def is_done(self) -> bool:
        """Whether all jobs have ended, or one has failed."""
        jobs = self._jobs
        return all(job.is_done for job in jobs) or any(job.error for job in jobs)

    @property
    def rows(self) -> int:
        """The number of inputs that have run."""
        return sum(job.forward + job.backward for job in self._jobs)

    @property
    def seconds(self) -> float:
        """The jobs' share of the model's time."""
        return sum(job.seconds for job in self._jobs)

    @property
    def share_done(self) -> float:
        """The fraction of the expected inputs that have run, averaged over jobs."""
        jobs = self._jobs
        return sum(job.share_done for job in jobs) / max(len(jobs), 1)

    def results(self) -> list[JobResult[Any]]:
        """The results, in order."""
        return [combined_result(*one) for one in self.under_way]

    @property
    def _jobs(self) -> list[ActiveJob[Any]]:
        return [job for jobs, _ in self.under_way for job in jobs]


class JobPool:
    """Runs the jobs of many callers on one engine; used by one thread only."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pooled = list[PooledJobs]()

    def __len__(self) -> int:
        """The number of callers whose jobs are in progress."""
        return len(self._pooled)

    def add(self, jobs: Sequence[Job[Any] | JobGroup[Any] | UnmaskError]) -> PooledJobs:
        """Start the jobs of a caller."""
        pooled = PooledJobs(self._engine, jobs)
        self._pooled.append(pooled)
        return pooled

    def remove(self, pooled: PooledJobs) -> None:
        """Remove the jobs of a caller; their remaining inputs are not run."""
        self._pooled.remove(pooled)
        if not self._pooled:
            self._engine.rest()

    def step(self, first: Sequence[PooledJobs] = ()) -> list[PooledJobs]:
        """Run one batch; return the callers whose jobs have ended.

        The batch includes the first pending input of the callers in `first`, and inputs of the others as they fit.
        """
        self._pooled.sort(key=lambda pooled: first.index(pooled) if pooled in first else len(first))
        self._engine.run_first([one for pooled in self._pooled for one in pooled.under_way])
        ended = [pooled for pooled in self._pooled if pooled.is_done]
        for pooled in ended:
            self.remove(pooled)
        return ended
