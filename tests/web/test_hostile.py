"""Bodies that are wrong in every way: a status and a sentence, never a 500, never what was sent."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.web import client_of, weighted_words

SECRET = "xyzzy-plugh"
JSON = {"content-type": "application/json"}
RAW = {
    "no json": b"{",
    "nothing": b"",
    "not an object": b"[]",
    "NaN": b'{"text": NaN}',
    "NaN as a number": b'{"text": "a", "temperature": NaN}',
    "infinity": b'{"text": "a", "temperature": 1e999}',
    "a number of 5,000 digits": b'{"text": "a", "seed": ' + b"9" * 5000 + b"}",
    "a large number": b'{"text": "a", "seed": 123456789012345678901234567890}',
    "100,000 brackets": b"[" * 100_000,
    "a lone surrogate": b'{"text": "good \\ud800"}',
    "a lone surrogate as a field": b'{"text": "a", "\\udc80": 1}',
    "a lone surrogate as a name": b'{"text": "a", "method": "\\ud800", "unit": "\\ud800", "model": "\\ud800"}',
    "a lone surrogate as a target": b'{"text": "a", "target": "\\ud800"}',
    "not UTF-8": b'{"text": "\xff\xfe"}',
    "a null": b'{"text": "good \\u0000 film", "method": "\\u0000"}',
}


@pytest.fixture(scope="module")
def client() -> Any:
    with client_of(weighted_words()) as opened:
        yield opened


@pytest.mark.parametrize("name", RAW)
@pytest.mark.parametrize("route", ["explain", "predict", "render"])
def test_a_broken_body_gets_a_sentence(client: TestClient, route: str, name: str) -> None:
    response = client.post(f"/api/{route}", content=RAW[name], headers=JSON)
    assert response.status_code in (400, 422)
    assert set(response.json()["error"]) == {"code", "message", "hint", "field"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "a", SECRET: 1}, None),
        ({"text": [SECRET]}, "text"),
        ({"text": "a", "messages": [{"role": "user", "content": "b", SECRET: 1}]}, "messages.0"),
        ({"text": "a", "seed": SECRET}, "seed"),
        ({"text": "a", "long": SECRET}, "long"),
        ({"text": "a", "target": {SECRET: SECRET}}, "target"),
        ({"text": "a", "spans": [[1, SECRET]]}, "spans.0.1"),
    ],
)
def test_what_was_sent_is_not_echoed(client: TestClient, body: dict[str, Any], field: str | None) -> None:
    response = client.post("/api/explain", json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (422, "invalid")
    assert SECRET not in response.text
    assert str(response.json()["error"]["field"]).startswith(str(field))


def test_a_misspelled_field_is_guessed(client: TestClient) -> None:
    assert "did you mean method?" in client.post("/api/explain", json={"text": "a", "metod": "sig"}).text
    other = client.post("/api/interactions", json={"text": "a", "method": "sig"}).json()["error"]["message"]
    assert other == "the field method does not apply here"
    large = client.post("/api/explain", json={"text": "a", "sets": 999_999}).json()["error"]["message"]
    assert large == "sets: expected less than or equal to 100000"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "a", "messages": [{"role": "user", "content": "b"}]},
        {"text": "a", "question": "b"},
        {"messages": [{"role": "jester", "content": "b"}]},
        {"messages": [{"role": "user", "content": "b"}]},
        {"documents": [{"name": "a", "text": "b"}]},
        {"text": "good", "method": "no such method"},
        {"text": "good", "method": "sig,ig"},
        {"text": "good", "method": "ig:steps=-1"},
        {"text": "good", "continuation": " film"},
        {"text": "good", "fixed": ["nowhere"]},
        {"text": "good", "fixed": [[0, 4]]},
        {"text": "good", "spans": [[3, 1]]},
        {"text": "good", "spans": []},
        {"text": "good", "target": "neutral"},
        {"text": "good", "target": [0, 1]},
        {"text": "good", "target": {"label": "positive", "against": "positive"}},
        {"text": "good", "scale": "value"},
        {"text": "good", "baseline": "token:x"},
        {"text": "\u200b"},
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(client: TestClient, body: dict[str, Any]) -> None:
    response = client.post("/api/explain", json=body)
    assert response.status_code == 422, response.text
    assert response.json()["error"]["message"]


@pytest.mark.parametrize(
    "more",
    [
        {"masked": []},
        {"masked": [[99]]},
        {"masked": [[-1]]},
        {"masked": [{"all_but": [99]}]},
        {"masked": [[]], "replaced": {"99": "a"}},
        {"masked": [[]], "replaced": {"one": "a"}},
        {"masked": [[]], "replaced": {"0": "", "1": ""}},
        {"masked": [[]], "replaced": {"0": "\ud800"}},
    ],
)
def test_a_click_on_nothing_gets_a_sentence(client: TestClient, more: dict[str, Any]) -> None:
    content = json.dumps({"text": "good film", **more})
    assert client.post("/api/predict", content=content, headers=JSON).status_code == 422


def test_unknown_addresses_and_methods(client: TestClient) -> None:
    assert client.get("/api/nothing").json()["error"]["code"] == "not_found"
    assert client.get("/api/explain").json()["error"]["code"] == "method_not_allowed"
    assert client.delete("/api/jobs/nothing").status_code == 404
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404


def test_a_fault_tells_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from unmask.web import computations

    def faulty(*_: object) -> None:
        raise RuntimeError(f"in /home/{SECRET}")

    monkeypatch.setitem(computations.ROUTES, "explain", faulty)
    response = client.post("/api/explain", json={"text": "good"})
    assert (response.status_code, response.json()["error"]["code"]) == (500, "fault")
    assert SECRET not in response.text
