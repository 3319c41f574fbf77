"""The only code that calls the model in a loop: runs the inputs that are needed for many texts, in batches."""

from .engine import Engine
from .forward import EngineText, PendingRow
from .job import Job, JobGroup, JobResult
from .pool import JobPool, PooledJobs

__all__ = ["Engine", "EngineText", "Job", "JobGroup", "JobPool", "JobResult", "PendingRow", "PooledJobs"]
