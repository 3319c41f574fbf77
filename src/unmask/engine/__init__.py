"""The only loop over the model: many texts' questions, packed into batches and answered."""

from .engine import Engine, Outcome
from .forward import Row, Subject
from .running import Job

__all__ = ["Engine", "Job", "Outcome", "Row", "Subject"]
