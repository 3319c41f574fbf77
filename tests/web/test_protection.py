"""Who gets in, and what the answers allow a page to do."""

import pytest
from support.web import client_of, weighted_words

from unmask.web.protection import Access, is_loopback

TOKEN = "a-token-of-the-tests"
BODY = {"text": "a good film"}


def test_a_foreign_host_is_refused() -> None:
    with client_of(weighted_words()) as client:
        for host in ("evil.example", "evil.example:8000", "127.0.0.1:9", "", "localhost.evil.example:8000"):
            response = client.get("/healthz", headers={"host": host})
            assert (response.status_code, response.json()["error"]["code"]) == (403, "host"), host
        for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000"):
            assert client.get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8001"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_post_from_another_site_is_refused(headers: dict[str, str]) -> None:
    with client_of(weighted_words()) as client:
        response = client.post("/api/explain", json=BODY, headers=headers)
        assert (response.status_code, response.json()["error"]["code"]) == (403, "origin")


def test_the_page_itself_may_post() -> None:
    own = {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    with client_of(weighted_words()) as client:
        assert client.post("/api/explain", json=BODY, headers=own).status_code == 200


def test_a_link_from_elsewhere_leads_to_the_page_but_not_to_the_api() -> None:
    with client_of(weighted_words()) as client:
        assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code != 403
        assert client.get("/api/models", headers={"sec-fetch-site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_cannot_post(kind: str) -> None:
    with client_of(weighted_words()) as client:
        response = client.post("/api/explain", content=b'{"text": "a"}', headers={"content-type": kind})
        assert response.status_code == 415


def test_every_answer_has_the_policy() -> None:
    with client_of(weighted_words()) as client:
        answers = [client.get("/api/models"), client.get("/nowhere"), client.post("/api/explain", json={"x": 1})]
        answers += [client.get("/healthz", headers={"host": "evil.example"}), client.get("/")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_token_is_asked_of_the_api_and_kept_in_a_cookie() -> None:
    access = Access(host="192.0.2.7", port=8000, token=TOKEN)
    with client_of(weighted_words(), access=access) as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/models").status_code == 401
        assert client.post("/api/explain", json=BODY, headers={"authorization": "Bearer wrong"}).status_code == 401
        assert client.get("/api/models", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert client.get("/?token=wrong", follow_redirects=False).status_code != 303
        redirect = client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert (redirect.status_code, redirect.headers["location"]) == (303, "/")
        given = redirect.headers["set-cookie"].lower()
        assert "samesite=strict" in given
        assert "httponly" in given
        assert client.get("/api/models").status_code == 200
        client.cookies.clear()
        for cookie in (b"unmask-8000=wrong", b"unmask-8000=\xe9", b"\xe9;=;"):
            assert client.get("/api/models", headers=[(b"cookie", cookie)]).status_code == 401


def test_a_server_for_others_goes_by_its_addresses_only() -> None:
    access = Access(host="0.0.0.0", port=8000, token=TOKEN)
    assert access.knows("192.0.2.9:8000")
    assert access.knows("[2001:db8::1]:8000")
    assert not access.knows("rebound.example:8000")
    assert not Access(host="127.0.0.1", port=8000).knows("192.0.2.9:8000")
    assert is_loopback("127.0.0.2")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")
    assert TOKEN not in repr(access)
