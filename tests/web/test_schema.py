"""Requests made up from the OpenAPI schema: whatever is sent, the server answers as it says it does."""

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from support.web import RunningServer, weighted_words

from unmask.web.limits import Limits

CASES = 500  # of each of nine operations
STATUSES = {200, 204, 400, 404, 405, 413, 415, 422, 503}


@pytest.fixture(scope="module")
def api() -> Iterator[Any]:
    with RunningServer(weighted_words(), limits=Limits(rows=500)) as server:
        yield schemathesis.openapi.from_url(f"{server.address}openapi.json")


schema = schemathesis.pytest.from_fixture("api")


@pytest.mark.slow
@schema.parametrize()
@hypothesis.settings(max_examples=CASES, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
def test_no_request_makes_the_server_fail(case: Any) -> None:
    response = case.call()
    assert response.status_code in STATUSES, response.text
    if response.status_code >= 400:
        assert response.json()["error"]["message"]
