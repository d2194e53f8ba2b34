"""One sandbox: its clock, its records, and what a test does with it as a whole."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Type, Union, cast, get_args
from uuid import uuid4

from . import _methods as methods
from ._errors import ClockStopped, ConditionNotMet, SandboxError, Unreachable
from ._transport import Answer, Resource, Transport, instant_text, segment
from .types import (
    Advance,
    Checkpoint,
    PaymentScript,
    SandboxSummary,
    Settings,
    SettingsPatch,
    TokenResponse,
    WhatIf,
)
from .types import Sandbox as Made

Failure = Literal[
    "card_declined", "insufficient_funds", "expired_card", "processing_error", "no_payment_method"
]

# As many as a script takes.
FAILURES_MAX = 1000

USUAL_URL = "http://127.0.0.1:4010"


class Clock(methods.ClockMethods):
    """The virtual clock."""

    @property
    def now(self) -> str:
        """The virtual now."""
        return self.get()["now"]

    def advance(self, by: Union[str, timedelta], **options: Any) -> Advance:
        """Moves on by a duration, such as `P14D`. Everything that falls due on the way is settled.

        Raises `ClockStopped` where it did not get there.
        """
        return self._move({"by": _duration("by", by), **options})

    def to(self, instant: Union[str, datetime], **options: Any) -> Advance:
        """Moves on to an instant, such as `2027-03-01T00:00:00Z`, or to a date."""
        return self._move({"to": instant_text("instant", instant), **options})

    def to_next(self, count: int = 1, **options: Any) -> Advance:
        """Moves on to the next instant at which something falls due, as often as said."""
        return self._move({"to_next": count, **options})

    def until(
        self,
        subscription_id: str,
        status: str,
        *,
        within: Union[str, timedelta, None] = None,
        **options: Any,
    ) -> Advance:
        """Moves on until a subscription has a status, within a year or as far as said.

        Raises `ConditionNotMet` where it never had.
        """
        move: Dict[str, Any] = {"until": {"subscription_id": subscription_id, "status": status}}
        if within is not None:
            move["within"] = _duration("within", within)
        return self._move({**move, **options})

    def _move(self, move: Mapping[str, Any]) -> Advance:
        moved: Advance = self._call("POST", "/sandbox/clock/advance", body=move)
        reason = moved["stopped_because"]
        if reason in ("reached", "condition_met"):
            return moved
        if reason == "condition_not_met":
            until = move["until"]
            id = until["subscription_id"]
            # A dry run leaves nothing to look at.
            found = None if move.get("dry_run") else methods.Subscriptions(self._transport).get(id)
            actual = None if found is None else found["status"]
            raise ConditionNotMet(moved, status=until["status"], actual=actual, id=id)
        raise ClockStopped(f"The clock stopped at {moved['to']}: {reason}", moved)


class Payments(methods.PaymentsMethods):
    """How payment attempts will end."""

    def fail(
        self,
        reason: Failure = "card_declined",
        *,
        times: Optional[int] = 1,
        subscription_id: Optional[str] = None,
        customer_id: Optional[str] = None,
    ) -> PaymentScript:
        """Has the next payment attempts fail, so many of them, or all with `times=None`.

        For one subscription, or one customer, or for all.
        """
        if times is not None and (type(times) is not int or not 1 <= times <= FAILURES_MAX):
            rule = f"an integer from 1 to {FAILURES_MAX}, or None for all"
            raise ValueError(f"times must be {rule}; got {times!r}")
        if reason not in get_args(Failure):
            rule = ", ".join(get_args(Failure))
            raise ValueError(f"reason must be one of {rule}; got {reason!r}")
        scope = {"subscription_id": subscription_id, "customer_id": customer_id}
        body = {name: id for name, id in scope.items() if id is not None}
        how = {"always": reason} if times is None else {"outcomes": [reason] * times}
        answer: PaymentScript = self._call("POST", "/sandbox/payment-outcomes", body={**how, **body})
        return answer


class Tokens(methods.TokensMethods):
    """Logins, in place of the one that the interface does not show."""

    def refresh(self, refresh_token: str) -> TokenResponse:
        """Exchanges a refresh token for a new access token, as /v1 does."""
        path = "/v1/auth/refresh"
        body = {"refresh_token": refresh_token}
        answer: TokenResponse = self._transport.call("POST", path, body=body, bearer=refresh_token)
        return answer


class Sandbox(methods.SandboxMethods):
    """An isolated copy of the service: own records, clock, key and faults."""

    def __init__(self, transport: Transport, made: Made, *, is_ours: bool) -> None:
        super().__init__(transport)
        transport.sandbox_id = made["sandbox_id"]
        transport.api_key = made["api_key"]
        self._is_ours = is_ours
        self.url = transport.url
        """The address of the server; the documented operations are below `/v1`."""
        self.id = made["sandbox_id"]
        self.api_key = made["api_key"]
        self.clock = Clock(transport)
        self.products = methods.Products(transport)
        self.plans = methods.Plans(transport)
        self.customers = methods.Customers(transport)
        self.coupons = methods.Coupons(transport)
        self.promotions = methods.Promotions(transport)
        self.subscriptions = methods.Subscriptions(transport)
        self.invoices = methods.Invoices(transport)
        self.charges = methods.Charges(transport)
        self.payments = Payments(transport)
        self.tokens = Tokens(transport)
        self.faults = methods.Faults(transport)
        self.settings = methods.SettingsMethods(transport)
        self.checkpoints = methods.Checkpoints(transport)
        self.events = methods.Events(transport)
        self.requests = methods.Requests(transport)
        self.webhooks = methods.Webhooks(transport)

    def checkpoint(self, name: str) -> Checkpoint:
        """Keeps how everything is now, under a name."""
        return self.checkpoints.create(name=name)

    def restore(self, name: str) -> SandboxSummary:
        """Brings back how everything was at a checkpoint."""
        return self.checkpoints.restore(name)

    def fork(
        self,
        *,
        sandbox_id: Optional[str] = None,
        checkpoint: Optional[str] = None,
        settings: Optional[SettingsPatch] = None,
    ) -> "Sandbox":
        """Makes another sandbox that begins as this one is now, or was at a checkpoint."""
        source = {"sandbox": self.id}
        if checkpoint is not None:
            source["checkpoint"] = checkpoint
        transport = Transport(self.url, control_token=self._transport.control_token)
        body: Dict[str, Any] = {"from": source}
        if settings is not None:
            body["settings"] = settings
        return _make(transport, _id_beside(self.id) if sandbox_id is None else sandbox_id, body)

    def what_if(
        self,
        changes: Sequence[Mapping[str, Any]],
        *,
        until: Union[str, datetime, None] = None,
        within: Union[str, timedelta, None] = None,
    ) -> WhatIf:
        """Compares the future with the one that changes make, in a year or as far as said.

        Each change names an operation, with its `params`, its `body`, and when it is `at`.
        """
        body: Dict[str, Any] = {"changes": list(changes)}
        if until is not None:
            body["until"] = instant_text("until", until)
        if within is not None:
            body["for"] = _duration("within", within)
        answer: WhatIf = self._call("POST", "/sandbox/what-if", body=body)
        return answer

    def send(
        self,
        method: str,
        target: str,
        *,
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[bytes] = None,
    ) -> Answer:
        """Sends a request as it is, such as one that no method makes, and without a key."""
        return self._transport.send(method, target, headers or {}, body)

    def delete(self) -> None:
        """Deletes the sandbox, with everything in it."""
        self._call("DELETE", f"/sandboxes/{segment('sandbox_id', self.id)}")

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Deletes a sandbox that `create` or `fork` made; one that was there before stays."""
        if not self._is_ours:
            return
        try:
            self.delete()
        except SandboxError as refusal:
            # One that is gone already, deleted or expired, is as it was to be.
            if refusal.status != 404:
                raise

    def __repr__(self) -> str:
        return f"<Sandbox {self.id} at {self.url}>"


def connect(
    url: Optional[str] = None,
    *,
    sandbox_id: Optional[str] = None,
    control_token: Optional[str] = None,
) -> Sandbox:
    """A sandbox that is there: the one of SANDBOX_ID, else `default`, at SANDBOX_URL."""
    wanted = sandbox_id or os.environ.get("SANDBOX_ID") or "default"
    transport = _transport(url, control_token)
    made = transport.call("GET", f"/sandboxes/{segment('sandbox_id', wanted)}")
    return _sandbox(transport, made, is_ours=False)


def create(
    url: Optional[str] = None,
    *,
    sandbox_id: Optional[str] = None,
    fixture: Optional[str] = None,
    now: Union[str, datetime, None] = None,
    settings: Optional[SettingsPatch] = None,
    control_token: Optional[str] = None,
) -> Sandbox:
    """Makes a sandbox of one's own, from a fixture (`starter`), at an instant, with settings.

    As a context manager it is deleted at the end of the block.
    """
    given: Dict[str, Any] = {
        "fixture": fixture,
        "now": None if now is None else instant_text("now", now),
        "settings": settings,
    }
    body = {name: value for name, value in given.items() if value is not None}
    transport = _transport(url, control_token)
    return _make(transport, sandbox_id, body)


def _id_beside(source: str) -> Optional[str]:
    """A new id for a fork that several processes place beside its source; none where it would be too long."""
    new = f"{source.split('--')[0]}--{uuid4().hex[:12]}"
    return new if len(new) <= 63 else None


def _make(transport: Transport, sandbox_id: Optional[str], body: Mapping[str, Any]) -> Sandbox:
    if sandbox_id is None:
        made = transport.call("POST", "/sandboxes", body=body)
    else:
        made = transport.call("PUT", f"/sandboxes/{segment('sandbox_id', sandbox_id)}", body=body)
    return _sandbox(transport, made, is_ours=True)


def _sandbox(transport: Transport, made: Any, *, is_ours: bool) -> Sandbox:
    if not isinstance(made, dict) or not {"sandbox_id", "api_key"} <= made.keys():
        raise Unreachable(f"{transport.url} is no sandbox")
    return Sandbox(transport, cast(Made, made), is_ours=is_ours)


def _transport(url: Optional[str], control_token: Optional[str]) -> Transport:
    address = url or os.environ.get("SANDBOX_URL") or USUAL_URL
    token = control_token or os.environ.get("SANDBOX_CONTROL_TOKEN") or None
    return Transport(address, control_token=token)


def _duration(field: str, value: Union[str, timedelta]) -> str:
    """A duration as ISO 8601 writes it."""
    if isinstance(value, str):
        return value
    if not isinstance(value, timedelta):
        raise ValueError(f"{field} must be a duration such as 'P14D', or a timedelta; got {value!r}")
    millis, rest = divmod(value, timedelta(milliseconds=1))
    if rest:
        raise ValueError(f"{field} must be whole milliseconds; got {value!r}")
    return f"PT{millis // 1000}.{millis % 1000:03}S"
