"""Error responses: a status and a sentence, no traceback, path or text; an unknown setting's value may be named."""

import difflib
import json
import logging
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..errors import ArgumentError, MemoryLimitError, MethodError, TextError, UnmaskError
from . import bodies
from .limits import LimitError

KNOWN = {
    name
    for model in vars(bodies).values()
    if isinstance(model, type) and issubclass(model, BaseModel)
    for name in model.model_fields
}
PLAIN = {
    404: ("not_found", "nothing was found at this address"),
    405: ("method_not_allowed", "this address does not support that HTTP method"),
}
OTHER_KIND = ("literal_error", "int_type", "int_parsing")  # said last: with several kinds, another one fits better
BAD_JSON = "the body is not JSON, or its numbers or nesting are too large"
logger = logging.getLogger(__name__)


def as_json(value: Any) -> bytes:
    """JSON in ASCII, which can also represent a lone surrogate."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def problem(
    status: int, code: str, message: str, *, hint: str | None = None, field: str | None = None
) -> tuple[int, dict[str, Any]]:
    """The status and the body of an error response."""
    return status, {"error": {"code": code, "message": message, "hint": hint, "field": field}}


def problem_of(error: BaseException) -> tuple[int, dict[str, Any]]:
    """The status and the body for an exception. Details that are not the client's fault are logged, not sent."""
    if isinstance(error, LimitError):
        return problem(error.status, error.code, str(error), hint=error.hint)
    if isinstance(error, ArgumentError | MethodError | MemoryLimitError):
        return problem(422, "argument", str(error), hint=error.hint)
    if isinstance(error, TextError):
        return problem(422, "text", str(error), hint=error.hint)
    logger.error("a request failed", exc_info=error)
    if isinstance(error, UnmaskError):
        return problem(503, "model", "the model failed on this text")
    return problem(500, "fault", "unmask failed; the server's log says why")


def problem_response(status: int, body: dict[str, Any], *, retry_after: int | None = None) -> Response:
    """The response for an error."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Response(as_json(body), status, headers, media_type="application/json")


def error_response(error: BaseException) -> Response:
    """An exception as a response."""
    later = error.retry_after if isinstance(error, LimitError) else None
    return problem_response(*problem_of(error), retry_after=later)


def not_found() -> Response:
    """The response for an unknown address."""
    return problem_response(*problem(404, *PLAIN[404]))


async def on_invalid(_: Request, error: Exception) -> Response:
    """The response for an invalid body: names the field and what was expected, but never the value given."""
    assert isinstance(error, RequestValidationError)
    first = min(error.errors(), key=lambda one: (one["type"] == "extra_forbidden", one["type"] in OTHER_KIND))
    if first["type"] == "json_invalid":
        return problem_response(*problem(400, "bad_json", BAD_JSON))
    place = [part for part in first["loc"][1:] if isinstance(part, int) or part in KNOWN]
    field = ".".join(map(str, place)) or None
    return problem_response(*problem(422, "invalid", _sentence(first, field), field=field))


async def on_http(_: Request, error: Exception) -> Response:
    """The response for an error raised by the web framework."""
    assert isinstance(error, HTTPException)
    code, message = PLAIN.get(error.status_code, ("bad_json", BAD_JSON))
    return problem_response(*problem(error.status_code, code, message))


async def on_error(_: Request, error: Exception) -> Response:
    """The response for any other exception."""
    return error_response(error)


def _sentence(error: Any, field: str | None) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        name = str(error["loc"][-1])
        return f"the field {name} does not apply here" if name in KNOWN else f"unknown field{_guess(name)}"
    if kind == "missing":
        return f"{error['loc'][-1]} is missing" if error["loc"][-1] in KNOWN else "the body is missing"
    expected = str(error["msg"]).replace("Input should be", "expected").replace("should have", "expected")
    return f"{field or 'the body'}: {expected[:1].lower()}{expected[1:]}"


def _guess(name: str) -> str:
    near = difflib.get_close_matches(name, sorted(KNOWN), n=1)
    return f"; did you mean {near[0]}?" if near else "; the fields are in /openapi.json"
