"""HTTP, as one sandbox is called: one connection for each call, without proxies, which stand before no sandbox."""

from __future__ import annotations

import json
import re
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection, IncompleteRead, InvalidURL
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union
from urllib.parse import quote, urlencode, urlsplit

from ._errors import SandboxError, Unreachable

# Long advances and forecasts take their time.
TIMEOUT_SECONDS = 300.0

# As many as the server has on one page.
PAGE_MAX = 1000


def segment(field: str, text: str) -> str:
    """A value as one part of a path. Raises `ValueError` for one that would lead to another path."""
    if not isinstance(text, str) or text in ("", ".", ".."):
        raise ValueError(f"{field} must be a text other than '', '.' and '..'; got {text!r}")
    return quote(text, safe="")


def _address(url: str) -> str:
    """The address of a server, without what follows it. Raises `ValueError` for one that is none."""
    text = str(url).strip()
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if is_address and "@" not in parts.netloc and not re.search(r"[?#]", text):
        return text.rstrip("/")
    bare = "without a user, a password, a query and a fragment"
    rule = bare if is_address else "such as http://127.0.0.1:4010"
    # What stands before an @ is a secret, also where the rest is no address.
    shown = re.sub(r"^.*@", "...@", text, flags=re.DOTALL)
    raise ValueError(f"url, or SANDBOX_URL, must be an address {rule}; got {shown!r}")


def _visible(field: str, secret: str) -> str:
    """A secret that a header can carry. Raises `ValueError` for another, and does not show it."""
    if isinstance(secret, str) and re.fullmatch(r"[\x21-\x7e]+", secret):
        return secret
    raise ValueError(f"{field} must be visible ASCII characters without spaces; it is not shown")


def instant_text(field: str, value: Union[str, datetime]) -> str:
    """An instant as RFC 3339 writes it."""
    if isinstance(value, str):
        return value
    if not isinstance(value, datetime) or value.tzinfo is None:
        rule = "an instant or a date such as '2027-03-01', or a datetime with a time zone"
        raise ValueError(f"{field} must be {rule}; got {value!r}")
    if value.microsecond % 1000:
        raise ValueError(f"{field} must be whole milliseconds; got {value!r}")
    return value.isoformat(timespec="milliseconds")


def _in_json(value: Any) -> str:
    if isinstance(value, datetime):
        return instant_text("it", value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _json(body: Any) -> bytes:
    """A body as it is sent. Raises `ValueError` with the field that JSON cannot hold."""
    try:
        return json.dumps(body, allow_nan=False, default=_in_json).encode()
    except (TypeError, ValueError) as error:
        for field, value in body.items() if isinstance(body, dict) else ():
            try:
                json.dumps(value, allow_nan=False, default=_in_json)
            except (TypeError, ValueError):
                raise ValueError(f"{field} must be what JSON can hold: {error}") from None
        raise ValueError(f"The body must be what JSON can hold: {error}") from None


class Transport:
    """Sends calls to one sandbox of a server."""

    def __init__(
        self, url: str, sandbox_id: Optional[str] = None, control_token: Optional[str] = None
    ) -> None:
        self.url = _address(url)
        self.sandbox_id = sandbox_id
        self.control_token = (
            None if control_token is None else _visible("control_token", control_token)
        )
        self.api_key: Optional[str] = None

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        bearer: Optional[str] = None,
        is_text: bool = False,
    ) -> Any:
        """Answers JSON, text where it is meant, or None. Raises `SandboxError` for a refusal."""
        headers = self._headers(path, bearer)
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = _json(body)
        elif method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = "0"
        answer = self.send(method, path + _query(query), headers, data)
        fault = answer.fault
        if answer.is_cut:
            by = "" if fault is None else f" by the fault {fault}"
            raise Unreachable(f"{self.url} does not answer: its answer is cut{by}")
        if not 200 <= answer.status < 300:
            nothing = "no body" if fault is None else f"the fault {fault} hit this call"
            raise SandboxError.of(method, path, answer.status, answer.text or nothing)
        if is_text or answer.status == 204:
            return answer.text or None
        try:
            return json.loads(answer.text)
        except ValueError:
            why = "is no sandbox" if fault is None else f"was hit by the fault {fault}"
            raise Unreachable(f"{self.url} {why}: its answer is not JSON") from None

    def _headers(self, path: str, bearer: Optional[str]) -> Dict[str, str]:
        if path.startswith("/v1/"):
            secret = self.api_key if bearer is None else _visible("refresh_token", bearer)
            return {"Authorization": f"Bearer {secret}"}
        headers = {}
        if self.sandbox_id is not None and not path.startswith("/sandboxes"):
            headers["Sandbox-Id"] = self.sandbox_id
        if self.control_token is not None:
            headers["Sandbox-Control-Token"] = self.control_token
        return headers

    def send(
        self, method: str, target: str, headers: Mapping[str, str], data: Optional[bytes]
    ) -> "Answer":
        """Sends a request as it is."""
        parts = urlsplit(self.url)
        make = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = make(parts.netloc, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, parts.path + target, data, dict(headers))
            response = connection.getresponse()
            try:
                body, is_cut = response.read(), False
            except IncompleteRead as cut:
                body, is_cut = cut.partial, True
            text = body.decode(errors="replace")
            media_type = response.headers.get_content_type()
            fault = response.headers.get("Sandbox-Fault")
            return Answer(response.status, media_type, text, is_cut, fault)
        except InvalidURL as error:
            raise ValueError(f"target must be a path without spaces; got {target!r}") from error
        except (OSError, HTTPException) as error:
            why = getattr(error, "strerror", None) or error
            raise Unreachable(f"{self.url} does not answer: {why}") from error
        finally:
            connection.close()


class Answer(NamedTuple):
    """The answer to a request that was sent as it is."""

    status: int
    media_type: str
    text: str
    is_cut: bool
    """Whether the connection was closed in the middle of it, as a fault does."""
    fault: Optional[str] = None
    """The fault that hit the call."""

    def json(self) -> Any:
        """The value of the body, which must be JSON."""
        return json.loads(self.text)


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
        is_text: bool = False,
    ) -> Any:
        return self._transport.call(method, path, query=query, body=body, is_text=is_text)

    def _list(self, path: str, *, query: Mapping[str, Any]) -> List[Any]:
        """The first `limit` records, or all of them, however many pages they are on."""
        limit = query.get("limit")
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ValueError(f"limit must be an integer of at least 1; got {limit!r}")
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
    return "?" + urlencode({name: _text(name, value) for name, value in given.items()})


def _text(field: str, value: Any) -> str:
    if isinstance(value, Mapping):
        raise ValueError(f"{field} must be a text, a number, a bool, or a list of them; got {value!r}")
    if isinstance(value, datetime):
        return instant_text(field, value)
    if isinstance(value, (list, tuple)):
        return ",".join(_text(field, each) for each in value)
    # Truth as JSON writes it.
    return str(value).lower() if isinstance(value, bool) else str(value)
