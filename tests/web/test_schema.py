"""Requests made up from the OpenAPI schema: whatever is sent, the server answers as it says it does."""

import os
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis import GenerationMode
from support.web import RunningServer, weighted_words

from unmask.web.limits import Limits

CASES = int(os.environ.get("UNMASK_CASES", "200"))  # of each operation, that fit the schema and that do not
STATUSES = {200, 204, 400, 404, 405, 413, 415, 422, 503}
OPERATIONS = [("POST", f"/api/{route}") for route in ("explain", "predict", "compare", "interactions", "render")]


@pytest.fixture(scope="module")
def schema() -> Iterator[Any]:
    with RunningServer(weighted_words(), limits=Limits(rows=500)) as server:
        yield schemathesis.openapi.from_url(f"{server.address}openapi.json")


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_makes_the_server_fail(schema: Any, method: str, path: str, mode: GenerationMode) -> None:
    @hypothesis.settings(
        max_examples=CASES, deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    @hypothesis.given(case=schema[path][method].as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        response = case.call()
        assert response.status_code in STATUSES, response.text
        if response.status_code >= 400:
            error = response.json()["error"]
            assert error["message"]
            assert response.status_code != 503 or error["code"] == "time"

    check()
