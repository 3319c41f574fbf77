"""The only code that loops over the model: answers the questions about many texts in batches."""

from .engine import Engine
from .forward import EngineText, PendingRow
from .job import Job, JobGroup, JobResult
from .pool import JobPool, PooledJobs

__all__ = ["Engine", "EngineText", "Job", "JobGroup", "JobPool", "JobResult", "PendingRow", "PooledJobs"]
