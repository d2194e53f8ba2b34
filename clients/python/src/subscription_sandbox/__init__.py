"""A client of the subscription sandbox: a year of billing in a second, from tests in Python."""

from ._errors import ClockStopped, ConditionNotMet, SandboxError, Unreachable
from ._sandbox import Clock, Payments, Sandbox, Tokens, connect, create
from ._server import serve
from ._transport import Answer

__all__ = [
    "Answer",
    "Clock",
    "ClockStopped",
    "ConditionNotMet",
    "Payments",
    "Sandbox",
    "SandboxError",
    "Tokens",
    "Unreachable",
    "connect",
    "create",
    "serve",
]
