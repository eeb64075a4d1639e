"""Who is refused."""

from __future__ import annotations

import pytest

from tests.web.conftest import PORT, TOKEN, Page


@pytest.mark.parametrize(
    "path", ["/", "/api/about", "/wrong-token/api/about", f"/{TOKEN[:-1]}/", f"/{TOKEN}", f"/{TOKEN}x/", "/page/dom.js"]
)
def test_without_the_token_nothing_is_answered(page: Page, path: str) -> None:
    answer = page.client.get(path)
    assert answer.status_code == 403
    assert "lock.pml" not in answer.text


def test_with_the_token_the_page_is_there(page: Page) -> None:
    answer = page.get("")
    assert answer.status_code == 200
    assert "lock.pml" in answer.text


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", f"127.0.0.1:{PORT + 1}", ""])
def test_other_names_of_this_machine_are_refused(page: Page, host: str) -> None:
    assert page.get("api/about", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_other_pages_are_refused(page: Page, headers: dict[str, str]) -> None:
    assert page.post("api/reload", headers=headers).status_code == 403


def test_our_own_page_may_ask(page: Page) -> None:
    headers = {"origin": f"http://127.0.0.1:{PORT}", "sec-fetch-site": "same-origin"}
    assert page.post("api/reload", headers=headers).status_code == 200


def test_a_huge_request_is_refused(page: Page) -> None:
    assert page.post("api/walk", {"start": 0, "choices": [0] * 600_000}).status_code == 413


def test_answers_forbid_what_the_page_does_not_need(page: Page) -> None:
    headers = page.get("").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
