"""HTTP, as one sandbox is called: one connection for each call, without proxies, which stand before no sandbox."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Dict, List, Mapping, NamedTuple, Optional
from urllib.parse import quote, urlencode, urlsplit

from ._errors import SandboxError, Unreachable

# Long advances and forecasts take their time.
TIMEOUT_SECONDS = 300.0

# As many as the server has on one page.
PAGE_MAX = 1000


def segment(text: str) -> str:
    """A value as one part of a path."""
    return quote(text, safe="")


class Transport:
    """Sends calls to one sandbox of a server."""

    def __init__(
        self, url: str, sandbox_id: Optional[str] = None, control_token: Optional[str] = None
    ) -> None:
        self.url = url.rstrip("/")
        self.sandbox_id = sandbox_id
        self.control_token = control_token
        self.api_key: Optional[str] = None

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        bearer: Optional[str] = None,
    ) -> Any:
        """Answers what the server answered: JSON, text, or None. Raises `SandboxError` for a refusal."""
        headers = self._headers(path, bearer)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        elif method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = "0"
        answer = self._send(method, path + _query(query), headers, data)
        if answer.status >= 400:
            raise SandboxError.of(method, path, answer.status, answer.text)
        if "json" in answer.media_type:
            return json.loads(answer.text)
        return answer.text or None

    def _headers(self, path: str, bearer: Optional[str]) -> Dict[str, str]:
        if path.startswith("/v1/"):
            return {"Authorization": f"Bearer {bearer or self.api_key}"}
        headers = {}
        if self.sandbox_id is not None and not path.startswith("/sandboxes"):
            headers["Sandbox-Id"] = self.sandbox_id
        if self.control_token is not None:
            headers["Sandbox-Control-Token"] = self.control_token
        return headers

    def _send(
        self, method: str, target: str, headers: Mapping[str, str], data: Optional[bytes]
    ) -> "_Answer":
        parts = urlsplit(self.url)
        make = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = make(parts.netloc, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, parts.path + target, data, dict(headers))
            response = connection.getresponse()
            text = response.read().decode()
            return _Answer(response.status, response.headers.get_content_type(), text)
        except (OSError, HTTPException) as error:
            raise Unreachable(f"{self.url} does not answer: {error}") from error
        finally:
            connection.close()


class _Answer(NamedTuple):
    status: int
    media_type: str
    text: str


class Resource:
    """Operations on one kind of record."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
    ) -> Any:
        return self._transport.call(method, path, query=query, body=body)

    def _list(self, path: str, *, query: Mapping[str, Any]) -> List[Any]:
        """The first `limit` records, or all of them, however many pages they are on."""
        limit = query.get("limit")
        after = query.get("after")
        records: List[Any] = []
        while True:
            size = PAGE_MAX if limit is None else min(PAGE_MAX, limit - len(records))
            page = self._call("GET", path, query={**query, "limit": size, "after": after})
            records += page["data"]
            after = page["next_after"]
            if not page["has_more"] or (limit is not None and len(records) >= limit):
                return records


def _query(query: Optional[Mapping[str, Any]]) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    if not given:
        return ""
    return "?" + urlencode({name: _text(value) for name, value in given.items()})


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(value)
    # Truth as JSON writes it.
    return str(value).lower() if isinstance(value, bool) else str(value)
