"""What can go wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Dict, Optional

if TYPE_CHECKING:
    from .types import Advance


class SandboxError(Exception):
    """The sandbox refused a call, and changed nothing."""

    def __init__(
        self, message: str, *, status: int, code: str, detail: str, fields: Dict[str, str]
    ) -> None:
        super().__init__(message)
        self.status = status
        """The status of the answer, such as 409."""
        self.code = code
        """Why it was refused, such as `in_use`."""
        self.detail = detail
        """Text for people: the field, the rule, the value."""
        self.fields = fields
        """What is wrong with each field at fault, by its path, such as `outcomes[1]`."""

    @staticmethod
    def of(method: str, path: str, status: int, text: str) -> "SandboxError":
        """The error of an answer: a problem of the control plane, or the documented envelope."""
        try:
            said = json.loads(text)
        except ValueError:
            said = None
        body = said if isinstance(said, dict) else {}
        code = str(body.get("code") or body.get("error") or "unknown")
        detail = str(body.get("detail") or body.get("message") or text)
        errors = body.get("errors")
        told = [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
        fields = {str(each.get("field")): str(each.get("message")) for each in told}
        message = f"{method} {path} was refused with {status} {code}: {detail}"
        return SandboxError(message, status=status, code=code, detail=detail, fields=fields)


class Unreachable(Exception):
    """No server answers at the address, or none could be started."""


class ClockStopped(AssertionError):
    """The clock did not get where it was sent."""

    def __init__(self, message: str, advance: "Advance") -> None:
        super().__init__(message)
        self.advance = advance
        """What the advance answered: how far it got, and what happened on the way."""


class ConditionNotMet(ClockStopped):
    """The clock got to the end of `within`, and the subscription did not have the status."""

    def __init__(self, advance: "Advance", *, status: str, actual: Optional[str], id: str) -> None:
        found = "" if actual is None else f": it is {actual}"
        super().__init__(f"{id} was never {status} until {advance['to']}{found}", advance)
